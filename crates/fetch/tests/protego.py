"""What does Protego decide? Needs the package `protego`.

Reads one JSON document a line: {"robots": base64, "agents": [...], "paths": [...]}. Writes one line for each: for every
agent the paths in their order, 1 where it may fetch and 0 where not, agents parted by a blank. The bytes become text as
in Scrapy: UTF-8 without a byte order mark, what is not UTF-8 left out.
"""

import base64
import json
import sys

from protego import Protego

for line in sys.stdin:
    case = json.loads(line)
    robots = Protego.parse(base64.b64decode(case["robots"]).decode("utf-8-sig", errors="ignore"))
    urls = ["https://site.example" + path for path in case["paths"]]
    print(" ".join("".join("01"[robots.can_fetch(url, agent)] for url in urls) for agent in case["agents"]))

"""Reads a folder of our archives with warcio, and says what it saw as JSON.

Usage: python warcio_check.py FOLDER. Every record is read with digest checking on; an error ends the script.
"""

import json
import pathlib
import sys

from warcio.archiveiterator import ArchiveIterator

folder = pathlib.Path(sys.argv[1])
seen = []
for path in sorted(folder.glob("*.warc.gz")):
    with open(path, "rb") as stream:
        records = ArchiveIterator(stream, check_digests="raise")
        for record in records:
            payload = record.raw_stream.read() if record.rec_type == "warcinfo" else record.content_stream().read()
            assert record.digest_checker.passed is not False, record.digest_checker.problems
            status = record.http_headers.get_statuscode() if record.http_headers else None
            place = records.get_record_offset(), records.get_record_length()
            seen.append(
                {
                    "file": path.name,
                    "kind": record.rec_type,
                    "url": record.rec_headers.get_header("WARC-Target-URI"),
                    "date": record.rec_headers.get_header("WARC-Date"),
                    "digest": record.rec_headers.get_header("WARC-Payload-Digest"),
                    "status": status,
                    "offset": place[0],
                    "length": place[1],
                    "payload": len(payload),
                    "checked": record.digest_checker.passed,
                }
            )
json.dump(seen, sys.stdout)

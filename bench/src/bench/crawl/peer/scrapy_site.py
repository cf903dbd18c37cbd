"""The peer Scrapy: a whole site, robots.txt respected, nothing kept."""

from urllib.parse import urlsplit

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class SiteSpider(CrawlSpider):
    name = "site"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 8,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }

    def __init__(self, start, **kwargs):
        self.start_urls = [start]
        self.rules = [Rule(LinkExtractor(allow_domains=[urlsplit(start).netloc]), follow=True)]
        super().__init__(**kwargs)

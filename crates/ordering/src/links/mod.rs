//! What links tell: the graph of a crawl so far, and PageRank on it and on whole graphs.

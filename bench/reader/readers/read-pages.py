"""Answers each line {"html", "url"} with a line {"markdown"}. Not named after the package: its own folder is searched first."""
import json
import sys

import trafilatura

print(json.dumps({"version": trafilatura.__version__}), flush=True)
for line in sys.stdin:
    page = json.loads(line)
    try:
        markdown = trafilatura.extract(
            page["html"],
            url=page["url"],
            output_format="markdown",
            include_comments=True,
            include_links=True,
            include_tables=True,
            include_formatting=True,
        )
        print(json.dumps({"markdown": markdown or ""}), flush=True)
    except Exception as error:  # what it throws is its reading
        print(json.dumps({"error": str(error)}), flush=True)

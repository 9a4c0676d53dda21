"""Validates the OpenAPI document of the real server, and generates a client from it."""

import os
import subprocess
import sys
import urllib.request

from cradle import Cradle

HERE = os.path.dirname(os.path.abspath(__file__))


def main(folder):
    os.makedirs(folder, exist_ok=True)
    document = os.path.join(folder, "openapi.json")
    with Cradle() as cradle:
        urllib.request.urlretrieve(f"http://{cradle.address}/api/openapi.json", document)
    tools = os.path.dirname(sys.executable)
    subprocess.run([os.path.join(tools, "openapi-spec-validator"), document], check=True)
    generate = [os.path.join(tools, "openapi-python-client"), "generate", "--path", document]
    generate += ["--config", os.path.join(HERE, "generator.yaml"), "--meta", "none"]
    generate += ["--output-path", os.path.join(folder, "cradle_client"), "--overwrite"]
    # A warning means that a part of the document has no code.
    subprocess.run([*generate, "--fail-on-warning"], check=True)


if __name__ == "__main__":
    main(sys.argv[1])

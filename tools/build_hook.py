"""The build hook of the package, which adds the cache files, so that even the first start is fast."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CacheFilesHook(BuildHookInterface[Any]):
    """A hook that adds the cached search index, games, languages and kingdoms to the package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compute the cache files and include them, unless the installation is editable.

        Args:
            version: "editable" or "standard".
            build_data: the description of the build, which receives the files.
        """
        if version == "editable":  # Its data files may change, which would make the cache files useless.
            return
        sys.path.insert(0, self.root)
        from tools.cache_files import write_cache_files

        self._folder = TemporaryDirectory()
        write_cache_files(self._folder.name)
        for file in sorted(Path(self._folder.name).iterdir()):
            build_data["force_include"][str(file)] = f"randomizer/data/cache/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder of the cache files."""
        if version != "editable":
            self._folder.cleanup()

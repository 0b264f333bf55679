"""A copy of the tree to make mistakes in, and its build: for tools/mutants and tools/prove-rows."""
import filecmp, os, shutil, subprocess


class TreeCopy:
    """The files of the tree as they are now, and no others. One that did not change keeps its time, so that little is built again."""

    def __init__(self, root, tree):
        self.root, self.tree, self.build_directory = root, tree, tree + "/build/dev"

    def copy(self, instead=()):
        """instead: {path: another text}."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root,
                                stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
        names = {name for name in listed if is_file_or_link(os.path.join(self.root, name))}
        for name in names - set(instead):
            copy_file(os.path.join(self.root, name), os.path.join(self.tree, name))
        for name in instead:
            if not os.path.exists(os.path.join(self.tree, name)) or self.read(name) != instead[name]:
                self.write(name, instead[name])
        for directory, _, files in os.walk(self.tree):
            for path in (os.path.join(directory, f) for f in files):
                if not path.startswith(self.tree + "/build/") and os.path.relpath(path, self.tree) not in names:
                    os.unlink(path)

    def configure(self, *more):
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build_directory, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                        "-DCMAKE_C_FLAGS_DEBUG=-O1", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", "-DWARDER_SHARED_ROOMS=ON", *more],
                       stdout=subprocess.DEVNULL, check=True)

    def ninja(self, targets=()):
        return subprocess.run(["ninja", "-C", self.build_directory, *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def build(self, targets=()):
        return self.ninja(targets).returncode == 0

    def read(self, path):
        with open(os.path.join(self.tree, path)) as f:
            return f.read()

    def write(self, path, text):
        os.makedirs(os.path.dirname(os.path.join(self.tree, path)), exist_ok=True)
        with open(os.path.join(self.tree, path), "w") as f:
            f.write(text)


def is_file_or_link(path):
    return os.path.isfile(path) or os.path.islink(path)


def copy_file(here, there):
    if os.path.islink(here) and os.path.lexists(there):
        os.unlink(there)
    if os.path.islink(here) or not (os.path.exists(there) and filecmp.cmp(here, there, shallow=False)):
        os.makedirs(os.path.dirname(there), exist_ok=True)
        shutil.copy(here, there, follow_symlinks=False)

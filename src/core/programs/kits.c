#include "programs/kits.h"

const struct kit kits[KITS] = {
    {"npm",
     "registry.npmjs.org registry.yarnpkg.com nodejs.org",
     {{".npm", "npm_config_cache"},
      {".cache/yarn", "YARN_CACHE_FOLDER"},
      {".yarn/berry/cache", NULL},
      {".local/share/pnpm/store", "npm_config_store_dir"},
      {".bun/install/cache", "BUN_INSTALL_CACHE_DIR"},
      {".cache/node-gyp", NULL}}},
    {"pypi",
     "pypi.org files.pythonhosted.org",
     {{".cache/pip", "PIP_CACHE_DIR"},
      {".cache/uv", "UV_CACHE_DIR"},
      {".cache/pypoetry", "POETRY_CACHE_DIR"}}},
    {"crates",
     "crates.io index.crates.io static.crates.io",
     {{".cargo/registry", NULL}, {".cargo/git", NULL}}},
    {"go",
     "proxy.golang.org sum.golang.org",
     {{"go/pkg/mod", "GOMODCACHE"}, {".cache/go-build", "GOCACHE"}}},
    {"maven",
     "repo.maven.apache.org repo1.maven.org plugins.gradle.org services.gradle.org "
     "downloads.gradle.org",
     {{".m2/repository", NULL}, {".gradle", "GRADLE_USER_HOME"}}},
    {"rubygems", "rubygems.org index.rubygems.org", {{".gem/ruby", NULL}, {".bundle/cache", NULL}}},
    {"nuget", "api.nuget.org", {{".nuget/packages", "NUGET_PACKAGES"}}},
    {"debian", "deb.debian.org security.debian.org archive.ubuntu.com security.ubuntu.com", {{0}}},
};

const struct kit *kit_find(struct str name)
{
    for (size_t i = 0; i < KITS; i++)
        if (str_is(name, kits[i].name))
            return &kits[i];
    return NULL;
}

const struct kit *program_kit(const struct program_row *row)
{
    struct str program, rest;

    if (row && !row->kit) {
        (void)str_cut(str_from(row->name), ' ', &program, &rest);
        row = program_by_any_name(program);
    }
    return row && row->kit ? kit_find(str_from(row->kit)) : NULL;
}

/*
 * A program that is not linked to MPI and loads a plugin that is.
 *
 * run: -n 3 {bin}/plugin_body.c.so
 * build: plain
 * plugin: plugin_body.c
 * libs: -ldl
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    int (*run)(int *, char ***);

    if (!plugin) {
        printf("%s\n", dlerror());
        return 2;
    }
    *(void **)&run = dlsym(plugin, "plugin_run");
    return run(&argc, &argv);
}

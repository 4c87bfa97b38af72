#include "shim/virtual/library_tools.h"

#include <stdlib.h>
#include <string.h>

#include "shim/core/library_code.h"

/*
 * A process of Open MPI 4 that comes up alone says so to itself by this variable, at MPI_Init, and would not be heard any more
 * after MPI_T_init_thread.  Later versions do without, and know no such component.
 */
void library_tools_begin(void)
{
    static const char version[] = "Open MPI v4";
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    library_may_fail(real.Get_library_version(text, &length));
    if (strncmp(text, version, sizeof version - 1) == 0)
        setenv("OMPI_MCA_pmix", "isolated", 0);
}

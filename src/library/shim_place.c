#include "library/shim_place.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

bool shim_place(char *place, size_t room, const char *folder, const char *library)
{
    int length = snprintf(place, room, "%s/%s", folder, library);
    if (length < 0 || (size_t)length >= room || strlen(library) > NAME_MAX)
        return false;
    for (char *at = place + strlen(folder) + 1; *at; at++)
        if (*at == '/')
            *at = '%';
    return true;
}

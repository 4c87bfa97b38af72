#include "result/place.h"

#include <stdlib.h>

void named_place_release(struct named_place *place)
{
    free(place->place);
    free(place->function);
    free(place->file);
}

/*
 * attributes -- those of communicators belong to the real library; of MPI_COMM_SELF we keep the keys.
 */
#include "shim/comm.h"
#include "shim/objects/object.h"

/*
 * Keys of the attributes on MPI_COMM_SELF, oldest first.  The real MPI_Finalize would delete
 * them, too, but libraries tidy up in these callbacks: what they free is no leak; and a copy
 * of a rank does not call it.
 */
static struct {
    int *keyval;
    int n, room;
} on_self;

static void forget_on_self(int keyval)
{
    int kept = 0;
    for (int i = 0; i < on_self.n; i++)
        if (on_self.keyval[i] != keyval)
            on_self.keyval[kept++] = on_self.keyval[i];
    on_self.n = kept;
}

static void note_on_self(int keyval)
{
    forget_on_self(keyval);
    if (on_self.n == on_self.room) {
        on_self.room = on_self.room ? 2 * on_self.room : 8;
        on_self.keyval = shim_realloc(on_self.keyval, on_self.room * sizeof *on_self.keyval);
    }
    on_self.keyval[on_self.n++] = keyval;
    object_freed(OBJECT_KEYVAL, HANDLE_KEY(keyval)); /* used until the very end: when could it be freed? */
}

int comm_delete_self_attributes(void)
{
    int rc = MPI_SUCCESS;
    while (on_self.n && rc == MPI_SUCCESS)
        rc = real.Comm_delete_attr(MPI_COMM_SELF, on_self.keyval[--on_self.n]);
    return rc;
}

int body_Comm_set_attr(MPI_Comm comm, int keyval, void *attribute)
{
    int rc = real.Comm_set_attr(comm, keyval, attribute);
    if (rc == MPI_SUCCESS && comm == MPI_COMM_SELF)
        note_on_self(keyval);
    return rc;
}

int body_Comm_delete_attr(MPI_Comm comm, int keyval)
{
    if (comm == MPI_COMM_SELF)
        forget_on_self(keyval);
    return real.Comm_delete_attr(comm, keyval);
}

int body_Attr_put(MPI_Comm comm, int keyval, void *attribute)
{
    return body_Comm_set_attr(comm, keyval, attribute);
}

int body_Attr_delete(MPI_Comm comm, int keyval)
{
    return body_Comm_delete_attr(comm, keyval);
}

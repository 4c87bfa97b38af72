// yorick, message passing: any-source receives, a broadcast and a sum.
func send(void) { if (mp_rank) mp_send, 0, mp_rank*mp_rank; }

func work(void)
{
  if (!mp_rank) {
    seen = array(0, mp_size);
    for (i = 1; i < mp_size; ++i) {
      p = mp_probe(1)(1);
      seen(p+1) = mp_recv(p);
    }
    write, format="%d ", seen;
    write, format="%s\n", "";
    table = [3., 1., 4., 1., 5.];
  }
  mp_handout, table;
  x = mp_handin(sum(table) * (mp_rank + 1));
  if (!mp_rank) write, format="%g\n", x;
}

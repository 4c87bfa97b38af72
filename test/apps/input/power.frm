* A sum of powers, expanded and collected by the workers.
Symbols a,b,c,d,x;
Off statistics;
Local F = (a+b+c+x)^6 * (a-2*b+d)^2;
id a = b + x;
.sort
id x = c - b + 1/3*d;
id b^3 = 1;
.sort
Print;
.end

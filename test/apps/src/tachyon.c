/* tachyon -- two balls over a mirror, one picture traced by all ranks. */
#include <tachyon.h>

static void *paint(SceneHandle scene, float r, float g, float b, float shine)
{
	apitexture t = { 0 };

	t.texturefunc = RT_TEXTURE_CONSTANT;
	t.col.r = r, t.col.g = g, t.col.b = b;
	t.ambient = 0.2f, t.diffuse = 0.6f, t.specular = shine, t.opacity = 1;
	return rt_texture(scene, &t);
}

int main(int argc, char **argv)
{
	rt_initialize(&argc, &argv);

	SceneHandle scene = rt_newscene();
	void *red = paint(scene, 1, 0, 0, 0.1f), *white = paint(scene, 1, 1, 1, 0.2f);

	rt_resolution(scene, 48, 40);
	rt_verbose(scene, 0);
	rt_outputfile(scene, "picture.ppm");
	rt_outputformat(scene, RT_FORMAT_PPM);
	rt_camera_setup(scene, 1, 1, 0, 4, rt_vector(0, 0, -5), rt_vector(0, 0, 1),
			rt_vector(0, 1, 0));
	rt_background(scene, rt_color(0.1f, 0.2f, 0.3f));
	rt_light(scene, white, rt_vector(3, 4, -6), 0.3);
	rt_sphere(scene, red, rt_vector(-1, 0, 0), 1);
	rt_sphere(scene, white, rt_vector(1, 0.5, 1), 1);
	rt_plane(scene, paint(scene, 0.5f, 0.5f, 0.5f, 0.5f), rt_vector(0, -1, 0),
		 rt_vector(0, 1, 0));
	rt_renderscene(scene);
	rt_deletescene(scene);
	rt_finalize();
	return 0;
}

// The place of a body on a rod after 60 steps of a world, by its first speed. All numbers of Box2D are floats, whose
// differences have three digits at best: those of the same sources with doubles agree with the derivative to 2e-7.
#define TOLERANCE 1e-2
#include "check.h"
#include <box2d/box2d.h>

struct scene {
  b2World world{b2Vec2(0, -10)};
  b2Body *body;
};
static scene *before;

static scene *make() {
  scene *s = new scene;
  s->world.SetWarmStarting(false);
  b2BodyDef ground, falling;
  falling.type = b2_dynamicBody;
  falling.position.Set(2, 4);
  b2Body *fixed = s->world.CreateBody(&ground);
  s->body = s->world.CreateBody(&falling);
  b2CircleShape disc;
  disc.m_radius = 0.25f;
  s->body->CreateFixture(&disc, 1);
  b2RevoluteJointDef joint;
  joint.Initialize(fixed, s->body, b2Vec2(0, 4));
  s->world.CreateJoint(&joint);
  return s;
}

static double after_steps(scene *s, const double *x) {
  s->body->SetTransform(b2Vec2(2, 4), 0);
  s->body->SetLinearVelocity(b2Vec2(x[0], x[1]));
  s->body->SetAngularVelocity(x[2]);
  s->body->SetAwake(true);
  for (int i = 0; i < 60; i++)
    s->world.Step(1 / 60.0f, 6, 2);
  b2Vec2 place = s->body->GetPosition();
  return place.x + 0.5 * place.y * place.y;
}

static double outside(double *x) { return after_steps(before, x); }

static double inside(double *x) {
  scene *s = make();
  double value = after_steps(s, x);
  delete s;
  return value;
}

int main() {
  before = make();
  CHECK_HANDLE(inside, outside, 0.4, 1.5, 0.3);
  return failures;
}

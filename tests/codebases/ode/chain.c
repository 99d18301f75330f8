/* Two bodies that ball joints hang from the world, after ten steps of it: by their first speeds and their mass. */
#include "check.h"
#include <ode/ode.h>

static double fallen(double *x) {
  dWorldID world = dWorldCreate();
  dWorldSetGravity(world, 0, 0, -9.81);
  dBodyID a = dBodyCreate(world), b = dBodyCreate(world);
  dMass mass;
  dMassSetSphere(&mass, 1.0, 0.2);
  dMassAdjust(&mass, 1.0 + x[2]);
  dBodySetMass(a, &mass);
  dBodySetMass(b, &mass);
  dBodySetPosition(a, 0, 0, 2);
  dBodySetPosition(b, 1, 0, 2);
  dBodySetLinearVel(a, x[0], 0, 0);
  dBodySetAngularVel(b, 0, x[1], 0);
  dJointID between = dJointCreateBall(world, 0), above = dJointCreateBall(world, 0);
  dJointAttach(between, a, b);
  dJointSetBallAnchor(between, 0.5, 0, 2);
  dJointAttach(above, a, 0);
  dJointSetBallAnchor(above, 0, 0, 2.5);
  for (int i = 0; i < 10; i++)
    dWorldStep(world, 0.01);
  const dReal *place = dBodyGetPosition(b), *speed = dBodyGetLinearVel(b);
  double value = place[0] + 2 * place[2] + speed[0] * speed[2];
  dWorldDestroy(world);
  return value;
}

int main(void) {
  dInitODE2(0);
  CHECK(fallen, 0.3, 0.2, 0.5);
  dCloseODE();
  return failures;
}

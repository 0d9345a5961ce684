# Written by tools/stubs.py from the tables of elements.
import os
from typing import Any, Literal, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._models import Model
from ._result import Result

Number = Union[float, str]  # an expression, or one with a unit, is a text
Vector = Union[Sequence[Number], npt.NDArray[np.float64]]
MatrixLike = Union[Sequence[Number], Sequence[Sequence[Number]], npt.NDArray[np.float64]]
End = Mapping[str, Union[str, Vector]]  # {"body": "crank", "at": [0, 0]}
Orientation = Union[Number, Vector, Mapping[str, Union[str, Number, Vector]]]

NAMED: tuple[str, ...]

def method_name(entry: Mapping[str, Any]) -> str: ...
def parameter_name(key: str) -> str: ...
def entries_of(space: str) -> list[dict[str, Any]]: ...
def documentation(entry: Mapping[str, Any]) -> str: ...

class Mechanism:
    space: str
    title: str
    gravity: Optional[Vector]
    parameters: dict[str, Number]
    defaults: dict[str, Any]
    def __init__(
        self,
        title: str = "",
        *,
        gravity: Optional[Vector] = None,
        parameters: Optional[Mapping[str, Number]] = None,
        run: Optional[Mapping[str, Any]] = None,
    ) -> None: ...
    def include(self, file: Union[str, os.PathLike[str]], **keys: Any) -> None: ...
    def to_toml(self) -> str: ...
    def save(self, path: Union[str, os.PathLike[str]]) -> None: ...
    def build(self, **parameters: float) -> Model: ...
    def check(self) -> dict[str, Any]: ...
    def run(self, **settings: Any) -> Result: ...
    def fit(self, vary: Mapping[str, Any], data: Any, scale: Optional[Mapping[str, float]] = None, **options: Any) -> Any: ...
    def minimize(
        self, vary: Mapping[str, Any], objective: str, constraint: Union[str, Sequence[str], None] = None, **options: Any
    ) -> Any: ...

class Planar(Mechanism):
    def branch_cylinder(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        from_: End,
        to: End,
        areas: Vector,
        volumes: Vector,
        bulk_modulus: Optional[Number] = None,
        pressures: Optional[Vector] = None,
    ) -> str:
        """A hydraulic cylinder without friction: forces from pressures, flows from its rate; its parts are NAME.a, NAME.b and their chambers.

        nodes: hydraulic nodes [Pa]; may use a, b
        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        areas: of the piston, and of its side with the rod [m^2]
        volumes: of both chambers at the start; 0: oil that does not give way [m^3]
        bulk_modulus: of the oil [Pa]; 1.5e9 unless given
        pressures: in both chambers at the start [Pa]

        For instance:

            m.branch_cylinder("cylinder1", nodes=["a", "b"], from_={"body": "ground", "at": [0, 0]}, to={"body": "load", "at": [0.5, 0]}, areas=[2e-3, 1e-3], volumes=[1e-4, 1e-4])
        """
    def branch_motor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        joint: str,
        constant: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        resistance: Optional[Number] = None,
        inductance: Optional[Number] = None,
        ratio: Optional[Number] = None,
        current: Optional[Number] = None,
    ) -> str:
        """The winding of a direct-current motor behind a gear: a torque from its current, a voltage from its speed; the inertia of its rotor is not part of it.

        nodes: electrical nodes [V]; may use from, to
        joint: what it turns
        coordinate: which one, for joints with two; one of angle, displacement
        constant: torque per current = voltage per speed [N m/A]
        resistance: of the winding [ohm]; 0 unless given
        inductance: of the winding; with it the current is a state [H]; 0 unless given
        ratio: turns of the rotor per turn of the joint; 1 unless given
        current: at the start, with inductance [A]; 0 unless given

        For instance:

            m.branch_motor("motor1", nodes=["a", "ground"], joint="main", constant=0.05, resistance=1)
        """
    def branch_capacitor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        capacitance: Number,
        voltage: Optional[Number] = None,
    ) -> str:
        """A capacitor, with its voltage as state unless a loop determines it.

        nodes: electrical nodes [V]; may use from, to
        capacitance: charge per voltage [F]
        voltage: at the start; 0 unless its loop says otherwise [V]

        For instance:

            m.branch_capacitor("capacitor1", nodes=["a", "ground"], capacitance="2 uF", voltage=5)
        """
    def cylinder(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        spool: Number,
        areas: Vector,
        volumes: Vector,
        stroke: Vector,
        flow: Number,
        supply: Number,
        pressures: Vector,
        tank: Optional[Number] = None,
        bulk_modulus: Optional[Number] = None,
        soft: Optional[Number] = None,
        underlap: Optional[Number] = None,
        leak: Optional[Number] = None,
        viscous: Optional[Number] = None,
        coulomb: Optional[Number] = None,
        transition: Optional[Number] = None,
        stop: Optional[Number] = None,
    ) -> None:
        """A hydraulic cylinder fed by a valve, with the pressures of its chambers.

        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        spool: of the valve: 1 drives the ends apart; may use t, length, rate
        areas: of the piston, and of its side with the rod [m^2]
        volumes: of both chambers at their ends of the stroke [m^3]
        stroke: the shortest and the longest distance of the ends [m]
        flow: of the open valve, per root of pressure [m^3/(s Pa^.5)]
        supply: pressure of the pump [Pa]
        tank: pressure of the tank [Pa]; 1e5 unless given
        pressures: in both chambers at the start [Pa]
        bulk_modulus: of the oil [Pa]; 1.5e9 unless given
        soft: below this the flow is laminar [Pa]; 1e5 unless given
        underlap: of the spool, as part of its stroke; 0.05 unless given
        leak: across the piston [m^3/(s Pa)]; 0 unless given
        viscous: friction of the seal per rate [N s/m]; 0 unless given
        coulomb: dry friction of the seal [N]; 0 unless given
        transition: below this speed dry friction creeps [m/s]; 1e-3 unless given
        stop: stiffness of the ends of the stroke [N/m]; 1e8 unless given

        For instance:

            m.cylinder(from_={"body": "frame", "at": [0, 0]}, to={"body": "boom", "at": [0.8, 0.4]}, spool="0.5*sin(t)", areas=[2e-3, 1.2e-3], volumes=[2e-4, 2e-4], stroke=[0.7, 1.2], flow=4e-7, supply=1e7, pressures=[3e6, 5e6])
        """
    def damper(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        damping: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> None:
        """Two points slowed down along the line between them.

        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        damping: force per rate of elongation [N s/m]
        law: the force that pulls the ends together, instead of damping [N]; may use length, rate, t

        For instance:

            m.damper(from_={"body": "axle", "at": [0, 0.3]}, to={"body": "frame", "at": [0, 0.8]}, law="1500*rate + 300*rate*abs(rate)")
        """
    def drive_distance(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        distance: Number,
    ) -> None:
        """The distance of two points is a function of time.

        It carries drive: force along the line between the points, positive where it pulls them together.

        from_: one point [m]
        to: the other point [m]
        distance: their distance; if it is another one at t = 0 the start is moved [m]

        For instance:

            m.drive_distance(from_={"body": "ground", "at": [0, 0]}, to={"body": "crank", "at": [0.5, 0]}, distance="0.5 + 0.1*sin(2*t)")
        """
    def drive_joint(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        motion: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
    ) -> None:
        """The coordinate of a joint follows a function of time.

        It carries drive: moment or force on the first body of the joint, along the coordinate.

        joint: the joint
        motion: angle or displacement of the second body against the first, counted from the positions as they are given; if it is not 0 at t = 0 the start is moved [rad or m]
        coordinate: which one, for joints with two; one of angle, displacement

        For instance:

            m.drive_joint(joint="main", motion="10*t")
        """
    def drive_point(
        self,
        name: Optional[str] = None,
        *,
        point: End,
        motion: Vector,
    ) -> None:
        """A point of a body follows a path that is a function of time.

        It carries x, y (z in space): minus the force on the body, ground frame.

        point: the point [m]
        motion: where it is, in the ground frame; if that is not `at` for t = 0 the start is moved [m]

        For instance:

            m.drive_point(point={"body": "crank", "at": [0.5, 0]}, motion=["0.5 + 0.1*sin(3*t)", 0])
        """
    def friction(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        viscous: Optional[Number] = None,
        coulomb: Optional[Number] = None,
        breakaway: Optional[Number] = None,
        stribeck: Optional[Number] = None,
        transition: Optional[Number] = None,
    ) -> None:
        """Viscous and smoothed dry friction in a joint; kind "stick-slip" is the dry one that sticks.

        joint: where it rubs
        coordinate: which one, for joints with two; one of angle, displacement
        viscous: force per rate [N s/m, N m s/rad]; 0 unless given
        coulomb: while sliding [N, N m]; 0 unless given
        breakaway: near rest; 0: as while sliding [N, N m]; 0 unless given
        stribeck: how fast breakaway is forgotten [m/s, rad/s]; 0 unless given
        transition: below this speed it creeps [m/s, rad/s]; 1e-3 unless given

        For instance:

            m.friction(joint="main", viscous=0.02, coulomb=0.5)
        """
    def branch_inductor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        inductance: Number,
        current: Optional[Number] = None,
    ) -> str:
        """An inductor, with its current as state.

        nodes: electrical nodes [V]; may use from, to
        inductance: flux per current [H]
        current: at the start, from the first node to the second [A]; 0 unless given

        For instance:

            m.branch_inductor("inductor1", nodes=["a", "b"], inductance="5 mH")
        """
    def branch_diode(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        saturation: Number,
        thermal: Optional[Number] = None,
    ) -> str:
        """A diode: saturation (exp(voltage/thermal) - 1).

        nodes: electrical nodes [V]; may use anode, cathode
        saturation: the current in the direction that is shut [A]
        thermal: voltage by which the current grows e-fold [V]; 0.026 unless given

        For instance:

            m.branch_diode("diode1", nodes=["a", "ground"], saturation=1e-9)
        """
    def branch_transistor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        saturation: Number,
        gain: Optional[Number] = None,
        thermal: Optional[Number] = None,
    ) -> str:
        """An npn transistor in forward direction; that its collector falls below its base is not part of it.

        nodes: electrical nodes [V]; may use base, collector, emitter
        gain: collector current per emitter current; 0.99 unless given
        saturation: the current in the direction that is shut [A]
        thermal: voltage by which the current grows e-fold [V]; 0.026 unless given

        For instance:

            m.branch_transistor("transistor1", nodes=["b", "c", "e"], saturation=1e-6)
        """
    def motor(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        voltage: Number,
        constant: Number,
        resistance: Number,
        inductance: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        ratio: Optional[Number] = None,
        current: Optional[Number] = None,
    ) -> None:
        """A direct-current motor behind a gear, with its current; the inertia of its rotor is not part of it.

        joint: what it turns
        coordinate: which one, for joints with two; one of angle, displacement
        voltage: of the source [V]; may use t, position, rate
        constant: torque per current = voltage per speed [N m/A]
        resistance: of the winding [ohm]
        inductance: of the winding [H]
        ratio: turns of the rotor per turn of the joint; 1 unless given
        current: at the start [A]; 0 unless given

        For instance:

            m.motor(joint="shoulder", voltage="12*sin(5*t)", constant=0.05, resistance=1, inductance=5e-3, ratio=20)
        """
    def node_electrical(
        self,
        name: str,
    ) -> str:
        """A node of a circuit; "ground" is at 0 V.


        For instance:

            m.node_electrical("electrical1")
        """
    def node_hydraulic(
        self,
        name: str,
    ) -> str:
        """A node of a hydraulic network; "ground" is the tank, where pressures are 0.


        For instance:

            m.node_hydraulic("hydraulic1")
        """
    def branch_volume(
        self,
        name: str,
        *,
        node: str,
        volume: Number,
        bulk_modulus: Optional[Number] = None,
        pressure: Optional[Number] = None,
    ) -> str:
        """A volume of oil that gives way a little: what hoses and blocks hold.

        node: where it is connected [Pa]
        volume: of the oil [m^3]
        bulk_modulus: of the oil [Pa]; 1.5e9 unless given
        pressure: at the start; 0 unless another volume there says otherwise [Pa]

        For instance:

            m.branch_volume("volume1", node="a", volume="0.2 l", pressure="30 bar")
        """
    def branch_accumulator(
        self,
        name: str,
        *,
        node: str,
        volume: Number,
        filling: Number,
        exponent: Optional[Number] = None,
        ambient: Optional[Number] = None,
        pressure: Optional[Number] = None,
    ) -> str:
        """Gas behind a membrane, p V^n = constant; a run ends where it is empty.

        node: where it is connected [Pa]
        volume: of the gas while there is no oil [m^3]
        filling: pressure of the gas then, above the tank [Pa]
        exponent: n: 1 for slow changes, 1.4 for fast ones; 1.4 unless given
        ambient: absolute pressure of the tank [Pa]; 101325 unless given
        pressure: at the start; 0 unless another volume there says otherwise [Pa]

        For instance:

            m.branch_accumulator("accumulator1", node="supply", volume="1 l", filling="60 bar", pressure="100 bar")
        """
    def branch_orifice(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        flow: Optional[Number] = None,
        soft: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> str:
        """A flow with the root of the pressure, laminar where that is small; or by a law.

        nodes: hydraulic nodes [Pa]; may use from, to
        flow: per root of pressure: cd A sqrt(2/rho) [m^3/(s Pa^.5)]
        soft: below this the flow is laminar [Pa]; 1e5 unless given
        law: the flow, instead of flow [m^3/s]; may use pressure, t

        For instance:

            m.branch_orifice("orifice1", nodes=["supply", "a"], flow=4e-7)
        """
    def branch_pipe(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        length: Number,
        diameter: Number,
        viscosity: Optional[Number] = None,
        density: Optional[Number] = None,
        start: Optional[Number] = None,
    ) -> str:
        """A round pipe with laminar flow; the flow is a state, because the oil in it has mass.

        nodes: hydraulic nodes [Pa]; may use from, to
        length: from node to node [m]
        diameter: inside [m]
        viscosity: of the oil [Pa s]; 0.04 unless given
        density: of the oil; with 0 the flow follows at once [kg/m^3]; 860 unless given
        start: flow at the start, from the first node to the second [m^3/s]; 0 unless given

        For instance:

            m.branch_pipe("pipe1", nodes=["supply", "a"], length=2, diameter="10 mm")
        """
    def beam(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        EA: Number,
        EI: Number,
        length: Optional[Number] = None,
        damping: Optional[Number] = None,
    ) -> None:
        """A slender elastic beam clamped to two bodies; it may turn far but bend little, and an end that has turned by 170 degrees against its chord ends the run.

        from_: one end; at the start the beam is straight and without load [m]
        to: the other end [m]
        EA: stiffness against stretching [N]
        EI: stiffness against bending [N m^2]
        length: without load; unless given that of the start [m]
        damping: times the stiffness it is the damping [s]; 0 unless given

        For instance:

            m.beam(from_={"body": "ground", "at": [0, 0]}, to={"body": "weight", "at": [1, 0]}, EA=1e6, EI=200, damping=1e-4)
        """
    def body(
        self,
        name: str,
        *,
        mass: Number,
        inertia: Number,
        position: Optional[Vector] = None,
        angle: Optional[Orientation] = None,
        velocity: Optional[Vector] = None,
        spin: Optional[Number] = None,
        shape: Optional[Mapping[str, Any]] = None,
    ) -> str:
        """A rigid body: x, y and angle.

        mass: mass [kg]
        inertia: about the centre of mass [kg m^2]
        position: of the centre of mass [m]; 0 unless given
        angle: of the body [rad]; 0 unless given
        velocity: of the centre of mass [m/s]; 0 unless given
        spin: angular velocity [rad/s]; 0 unless given
        shape: what it looks like

        For instance:

            m.body("crank", mass=0.2, inertia="mass*l^2/12", position=["l/2", 0])
        """
    def point(
        self,
        name: str,
        *,
        mass: Number,
        position: Optional[Vector] = None,
        velocity: Optional[Vector] = None,
        shape: Optional[Mapping[str, Any]] = None,
    ) -> str:
        """A point mass: x and y.

        mass: mass [kg]
        position: of the centre of mass [m]; 0 unless given
        velocity: of the centre of mass [m/s]; 0 unless given
        shape: what it looks like

        For instance:

            m.point("bob", mass=1, position=[1, 0])
        """
    def bushing(
        self,
        name: Optional[str] = None,
        *,
        bodies: Sequence[str],
        at: Vector,
        stiffness: Union[Number, MatrixLike],
        at_b: Optional[Vector] = None,
        damping: Optional[Union[Number, MatrixLike]] = None,
        along: Optional[Vector] = None,
    ) -> None:
        """A point of one body held elastically near a point of another, with a torsion spring.

        bodies: the two bodies; the bushing has the axes of the first
        at: the common point, in the ground frame at the start [m]
        at_b: that of the second body, if it starts under load [m]
        stiffness: of both displacements and the angle: a symmetric 3x3 matrix, or three numbers for a diagonal [N/m, N m/rad]
        damping: likewise [N s/m, N m s/rad]; [0, 0, 0] unless given
        along: the first axis at the start; [1, 0] unless given

        For instance:

            m.bushing(bodies=["ground", "crank"], at=[0, 0], stiffness=[1e4, 1e5, 20], damping=[10, 10, 0.1])
        """
    def distance(
        self,
        name: str,
        *,
        from_: End,
        to: End,
        length: Optional[Number] = None,
    ) -> str:
        """Two points keep their distance.

        It carries rod: force along the rod, positive where it is pulled.

        from_: one end [m]
        to: the other end [m]
        length: the distance; unless given that of the start [m]

        For instance:

            m.distance("distance1", from_={"body": "ground", "at": [0, 0]}, to={"body": "bob", "at": [1, 0]}, length=1)
        """
    def fixed(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
    ) -> str:
        """Two bodies move as one.

        It carries x, y: force on the first body at the point, ground frame; moment on the first body (none if one of the two is a point mass).

        bodies: the two bodies
        at: where the force is counted, in the ground frame at the start [m]

        For instance:

            m.fixed("fixed1", bodies=["crank", "weight"], at=[0.1, 0])
        """
    def force(
        self,
        name: Optional[str] = None,
        *,
        body: str,
        force: Vector,
        at: Optional[Vector] = None,
        frame: Optional[Literal["ground", "body"]] = None,
    ) -> None:
        """A force on a point of a body, constant or by a law.

        body: what it acts on
        at: the point, in the ground frame at the start; unless given the centre of mass [m]
        force: both components; x, y, vx, vy are those of the point in the ground frame [N]; may use t, x, y, vx, vy, angle, spin
        frame: where the components are given; that of the body turns with it; one of ground, body; "ground" unless given

        For instance:

            m.force(body="crank", at=[0.15, 0], force=["10*sin(2*t)", "-3*vy"])
        """
    def gear(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        ratio: Optional[Number] = None,
        teeth: Optional[Vector] = None,
        carrier: Optional[str] = None,
    ) -> str:
        """Two wheels turn in a fixed ratio, seen from their carrier.

        It carries moment: minus that on the second wheel; the first feels ratio times it, the carrier the rest.

        bodies: the two wheels
        ratio: turns of the second wheel for one of the first; negative if they turn against each other
        teeth: instead of the ratio: teeth of both wheels, negative for a ring with teeth inside
        carrier: the body that holds both axes; "ground" unless given

        For instance:

            m.gear("gear1", bodies=["sun", "planet"], teeth=[20, 40], carrier="arm")
        """
    def knife_edge(
        self,
        name: str,
        *,
        body: str,
        at: Vector,
        along: Vector,
    ) -> str:
        """A point of a body moves along a direction of the body only.

        It carries side: force on the ground, to the left of `along`, which is fixed to the body.

        body: the body with the blade
        at: where the blade is, in the ground frame at the start [m]
        along: the direction of the blade at the start

        For instance:

            m.knife_edge("knife-edge1", body="sleigh", at=[0, 0], along=[1, 0])
        """
    def prismatic(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        along: Vector,
    ) -> str:
        """The second body slides along a line of the first.

        It carries normal: force on the first body, to the left of `along`, which is fixed to that body; moment on the first body (none if one of the two is a point mass).

        bodies: the body with the line, and the one that slides
        at: a point of the line, in the ground frame at the start [m]
        along: the direction of the line at the start

        For instance:

            m.prismatic("prismatic1", bodies=["ground", "slider"], at=[0.5, 0], along=[1, 0])
        """
    def rack(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        along: Vector,
        radius: Optional[Number] = None,
        centre: Optional[Vector] = None,
    ) -> str:
        """A toothed wheel rolls along the pitch line of a rack; other joints keep it there.

        It carries along: force on the rack where the wheel meets it, along `along`, which is fixed to the rack.

        bodies: the rack and the wheel
        at: a point of the line, in the ground frame at the start [m]
        along: the direction of the line at the start
        radius: of the wheel; unless given the distance of its centre from the line [m]
        centre: of the wheel, in the ground frame at the start; unless given its centre of mass [m]

        For instance:

            m.rack("rack1", bodies=["rack", "pinion"], at=[0, 0], along=[1, 0], radius=0.05)
        """
    def revolute(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
    ) -> str:
        """Two bodies turn about a common point.

        It carries x, y: force on the first body, ground frame.

        bodies: the two bodies
        at: the common point, in the ground frame at the start [m]

        For instance:

            m.revolute("revolute1", bodies=["ground", "crank"], at=[0, 0])
        """
    def rolling(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        along: Vector,
        radius: Optional[Number] = None,
        centre: Optional[Vector] = None,
    ) -> str:
        """A disc stays on a line and rolls without slip.

        It carries along, normal: force on the first body where the disc meets the line, along `along` and to the left of it; both are fixed to that body.

        bodies: the body with the line, and the disc
        at: a point of the line, in the ground frame at the start [m]
        along: the direction of the line at the start
        radius: of the wheel; unless given the distance of its centre from the line [m]
        centre: of the wheel, in the ground frame at the start; unless given its centre of mass [m]

        For instance:

            m.rolling("rolling1", bodies=["ground", "disc"], at=[0, 0], along=[1, 0], radius=0.2)
        """
    def slot(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        along: Vector,
    ) -> str:
        """A point of the second body stays on a line of the first.

        It carries normal: force on the first body, to the left of `along`, which is fixed to that body.

        bodies: the body with the line, and the one with the point
        at: the point, in the ground frame at the start [m]
        along: the direction of the line at the start

        For instance:

            m.slot("slot1", bodies=["ground", "rod"], at=[0.5, 0], along=[1, 0])
        """
    def torque(
        self,
        name: Optional[str] = None,
        *,
        body: str,
        torque: Number,
    ) -> None:
        """A torque on a body, constant or by a law.

        body: what it acts on
        torque: counter-clockwise; x, y, vx, vy are those of the centre of mass [N m]; may use t, x, y, vx, vy, angle, spin

        For instance:

            m.torque(body="crank", torque="2 - 0.1*spin")
        """
    def branch_pump(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        flow: Optional[Number] = None,
        joint: Optional[str] = None,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        displacement: Optional[Number] = None,
        leak: Optional[Number] = None,
    ) -> str:
        """A flow from the first node to the second, given or from the turning of a joint, with a leak back.

        nodes: hydraulic nodes [Pa]; may use suction, pressure
        flow: a function of time [m^3/s]; may use t
        joint: what drives it, instead of flow
        coordinate: which one, for joints with two; one of angle, displacement
        displacement: with joint: volume per angle [m^3/rad]; 0 unless given
        leak: back, per pressure [m^3/(s Pa)]; 0 unless given

        For instance:

            m.branch_pump("pump1", nodes=["ground", "supply"], flow=2e-4, leak=1e-12)
        """
    def branch_resistor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        resistance: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> str:
        """A current that the voltage determines.

        nodes: electrical nodes [V]; may use from, to
        resistance: voltage per current [ohm]
        law: the current, instead of resistance [A]; may use voltage, t

        For instance:

            m.branch_resistor("resistor1", nodes=["a", "ground"], resistance="9 kohm")
        """
    def branch_voltage_source(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        voltage: Number,
    ) -> str:
        """The first node lies above the second by a function of time.

        nodes: electrical nodes [V]; may use plus, minus
        voltage: plus against minus [V]

        For instance:

            m.branch_voltage_source("voltage-source1", nodes=["a", "ground"], voltage="0.1*sin(200*pi*t)")
        """
    def branch_pressure_source(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        pressure: Number,
    ) -> str:
        """The pressure of the first node lies above that of the second by a function of time.

        nodes: hydraulic nodes [Pa]; may use high, low
        pressure: high against low [Pa]

        For instance:

            m.branch_pressure_source("pressure-source1", nodes=["supply", "ground"], pressure="210 bar")
        """
    def branch_current_source(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        current: Number,
    ) -> str:
        """A current that is a function of time.

        nodes: electrical nodes [V]; may use from, to
        current: through the source, from the first node to the second [A]; may use t

        For instance:

            m.branch_current_source("current-source1", nodes=["ground", "a"], current="2*step(t - 1)")
        """
    def spring(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        stiffness: Optional[Number] = None,
        length: Optional[Number] = None,
        damping: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> None:
        """Two points pulled together along the line between them, with a damper beside it.

        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        stiffness: force per elongation [N/m]
        length: without force; otherwise the one at the start [m]
        damping: force per rate of elongation [N s/m]; 0 unless given
        law: the force that pulls the ends together, instead of stiffness and length [N]; may use length, rate, t

        For instance:

            m.spring(from_={"body": "crank", "at": [0.1, 0]}, to={"body": "ground", "at": [1, 0]}, stiffness=1e3, length=0.3)
        """
    def stick_slip(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        most: Number,
        sliding: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
    ) -> None:
        """Dry friction in a joint: it holds up to a limit, then slides; every change is an event.

        It carries its force or torque along the coordinate, as NAME.friction.

        joint: where it rubs
        coordinate: which one, for joints with two; one of angle, displacement
        most: what it holds at most [N, N m]; may use t, position
        sliding: while it slides [N, N m]; may use t, position, speed

        For instance:

            m.stick_slip(joint="guide", most=16, sliding="12 + 4*exp(-(speed/0.05)^2)")
        """
    def torsion_spring(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        stiffness: Optional[Number] = None,
        angle: Optional[Number] = None,
        damping: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> None:
        """The angle of a joint pulled back, with a damper beside it; full turns are counted.

        joint: a revolute or cylindrical joint
        stiffness: torque per angle [N m/rad]
        angle: without torque, counted from the start [rad]; 0 unless given
        damping: torque per angular velocity [N m s/rad]; 0 unless given
        law: the torque that makes the angle smaller, instead of the others [N m]; may use angle, rate, t

        For instance:

            m.torsion_spring(joint="main", stiffness=20, angle=0.1)
        """
    def branch_transformer(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        ratio: Number,
    ) -> str:
        """An ideal transformer: voltages in a ratio, currents in its inverse.

        nodes: electrical nodes [V]; may use plus1, minus1, plus2, minus2
        ratio: turns of the first winding per turn of the second

        For instance:

            m.branch_transformer("transformer1", nodes=["a", "ground", "b", "ground"], ratio=10)
        """
    def branch_valve(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        spool: Number,
        flow: Number,
        soft: Optional[Number] = None,
        underlap: Optional[Number] = None,
        joint: Optional[str] = None,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        signal: Optional[Sequence[str]] = None,
    ) -> str:
        """A servo valve: its spool opens the supply to a and b to the tank, or the other way round; its edges are NAME.pa, NAME.bt, NAME.pb and NAME.at.

        nodes: hydraulic nodes [Pa]; may use supply, tank, a, b
        spool: 1: supply to a fully open, -1: supply to b; may use t, position, rate, signal
        flow: of an open edge, per root of pressure [m^3/(s Pa^.5)]
        soft: below this the flow is laminar [Pa]; 1e5 unless given
        underlap: of the spool, as part of its stroke; 0.05 unless given
        joint: whose position and rate the spool may use
        coordinate: which one, for joints with two; one of angle, displacement
        signal: whose voltage the spool may use [V]; may use plus, minus

        For instance:

            m.branch_valve("valve1", nodes=["supply", "ground", "a", "b"], spool="0.5*sin(t)", flow=4e-7)
        """
    def watch_angle(
        self,
        name: Optional[str] = None,
        *,
        angle: str,
    ) -> None:
        """Angle of a body and its rate.

        angle: the body

        For instance:

            m.watch_angle("phi", angle="crank")
        """
    def watch_coordinate(
        self,
        name: Optional[str] = None,
        *,
        coordinate: str,
    ) -> None:
        """What a joint leaves free (angle, displacement) and its rate.

        coordinate: the joint

        For instance:

            m.watch_coordinate("stroke", coordinate="slide")
        """
    def watch_distance(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
    ) -> None:
        """Distance between two points, and its rate.

        from_: one point [m]
        to: the other [m]

        For instance:

            m.watch_distance("gap", from_={"body": "ground", "at": [1, 0]}, to={"body": "crank", "at": [0, 0]})
        """
    def watch_energy(
        self,
        name: Optional[str] = None,
        *,
        energy: Literal["kinetic", "potential", "total"],
    ) -> None:
        """Kinetic, potential or total energy of the mechanism.

        energy: which one; one of kinetic, potential, total

        For instance:

            m.watch_energy("E", energy="total")
        """
    def watch_expression(
        self,
        name: Optional[str] = None,
        *,
        expression: str,
        unit: Optional[str] = None,
    ) -> None:
        """An expression of t and of watches that came before, by their names.

        expression: what is computed
        unit: the unit it is shown with; "" unless given

        For instance:

            m.watch_expression("ratio", expression="bearing.x/bearing.norm")
        """
    def watch_potential(
        self,
        name: Optional[str] = None,
        *,
        potential: str,
    ) -> None:
        """Voltage of a node against the ground, or pressure above the tank.

        potential: the node

        For instance:

            m.watch_potential("output", potential="a")
        """
    def watch_branch(
        self,
        name: Optional[str] = None,
        *,
        branch: str,
        quantity: Optional[Literal["current", "difference", "power"]] = None,
    ) -> None:
        """What a branch of a network does.

        branch: the branch, or a part of it
        quantity: current or flow from the first node into it; difference of the potentials of its first two nodes; power that it takes from the network; one of current, difference, power; "current" unless given

        For instance:

            m.watch_branch("heat", branch="R1", quantity="power")
        """
    def watch_point(
        self,
        name: Optional[str] = None,
        *,
        point: End,
        quantity: Optional[Literal["position", "velocity", "acceleration"]] = None,
    ) -> None:
        """Position, velocity or acceleration of a point of a body, in the ground frame.

        point: the point [m]
        quantity: what to tell of it; one of position, velocity, acceleration; "position" unless given

        For instance:

            m.watch_point("tip", point={"body": "crank", "at": [1, 0]}, quantity="velocity")
        """
    def watch_reaction(
        self,
        name: Optional[str] = None,
        *,
        reaction: str,
        on: Optional[Literal["a", "b"]] = None,
        frame: Optional[Literal["ground", "a", "b"]] = None,
    ) -> None:
        """Force and moment of a joint on one of its bodies, at the joint's point; of a drive its force or moment along what it drives.

        reaction: the joint or drive
        on: the body that is pushed; moments are about its own point of the joint, fixed to it, the ground too (of racks and what rolls: where the centre was on it at the start); one of a, b; "b" unless given
        frame: the frame of the components; one of ground, a, b; "ground" unless given

        For instance:

            m.watch_reaction("bearing", reaction="main")
        """
    def watch_whole(
        self,
        name: Optional[str] = None,
        *,
        whole: Literal["centre-of-mass", "momentum", "angular-momentum"],
    ) -> None:
        """Centre of mass, momentum or angular momentum (about the origin) of the mechanism.

        whole: which one; one of centre-of-mass, momentum, angular-momentum

        For instance:

            m.watch_whole("L", whole="angular-momentum")
        """

class Spatial(Mechanism):
    def branch_cylinder(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        from_: End,
        to: End,
        areas: Vector,
        volumes: Vector,
        bulk_modulus: Optional[Number] = None,
        pressures: Optional[Vector] = None,
    ) -> str:
        """A hydraulic cylinder without friction: forces from pressures, flows from its rate; its parts are NAME.a, NAME.b and their chambers.

        nodes: hydraulic nodes [Pa]; may use a, b
        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        areas: of the piston, and of its side with the rod [m^2]
        volumes: of both chambers at the start; 0: oil that does not give way [m^3]
        bulk_modulus: of the oil [Pa]; 1.5e9 unless given
        pressures: in both chambers at the start [Pa]

        For instance:

            m.branch_cylinder("cylinder1", nodes=["a", "b"], from_={"body": "ground", "at": [0, 0]}, to={"body": "load", "at": [0.5, 0]}, areas=[2e-3, 1e-3], volumes=[1e-4, 1e-4])
        """
    def branch_motor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        joint: str,
        constant: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        resistance: Optional[Number] = None,
        inductance: Optional[Number] = None,
        ratio: Optional[Number] = None,
        current: Optional[Number] = None,
    ) -> str:
        """The winding of a direct-current motor behind a gear: a torque from its current, a voltage from its speed; the inertia of its rotor is not part of it.

        nodes: electrical nodes [V]; may use from, to
        joint: what it turns
        coordinate: which one, for joints with two; one of angle, displacement
        constant: torque per current = voltage per speed [N m/A]
        resistance: of the winding [ohm]; 0 unless given
        inductance: of the winding; with it the current is a state [H]; 0 unless given
        ratio: turns of the rotor per turn of the joint; 1 unless given
        current: at the start, with inductance [A]; 0 unless given

        For instance:

            m.branch_motor("motor1", nodes=["a", "ground"], joint="main", constant=0.05, resistance=1)
        """
    def branch_capacitor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        capacitance: Number,
        voltage: Optional[Number] = None,
    ) -> str:
        """A capacitor, with its voltage as state unless a loop determines it.

        nodes: electrical nodes [V]; may use from, to
        capacitance: charge per voltage [F]
        voltage: at the start; 0 unless its loop says otherwise [V]

        For instance:

            m.branch_capacitor("capacitor1", nodes=["a", "ground"], capacitance="2 uF", voltage=5)
        """
    def cylinder(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        spool: Number,
        areas: Vector,
        volumes: Vector,
        stroke: Vector,
        flow: Number,
        supply: Number,
        pressures: Vector,
        tank: Optional[Number] = None,
        bulk_modulus: Optional[Number] = None,
        soft: Optional[Number] = None,
        underlap: Optional[Number] = None,
        leak: Optional[Number] = None,
        viscous: Optional[Number] = None,
        coulomb: Optional[Number] = None,
        transition: Optional[Number] = None,
        stop: Optional[Number] = None,
    ) -> None:
        """A hydraulic cylinder fed by a valve, with the pressures of its chambers.

        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        spool: of the valve: 1 drives the ends apart; may use t, length, rate
        areas: of the piston, and of its side with the rod [m^2]
        volumes: of both chambers at their ends of the stroke [m^3]
        stroke: the shortest and the longest distance of the ends [m]
        flow: of the open valve, per root of pressure [m^3/(s Pa^.5)]
        supply: pressure of the pump [Pa]
        tank: pressure of the tank [Pa]; 1e5 unless given
        pressures: in both chambers at the start [Pa]
        bulk_modulus: of the oil [Pa]; 1.5e9 unless given
        soft: below this the flow is laminar [Pa]; 1e5 unless given
        underlap: of the spool, as part of its stroke; 0.05 unless given
        leak: across the piston [m^3/(s Pa)]; 0 unless given
        viscous: friction of the seal per rate [N s/m]; 0 unless given
        coulomb: dry friction of the seal [N]; 0 unless given
        transition: below this speed dry friction creeps [m/s]; 1e-3 unless given
        stop: stiffness of the ends of the stroke [N/m]; 1e8 unless given

        For instance:

            m.cylinder(from_={"body": "frame", "at": [0, 0]}, to={"body": "boom", "at": [0.8, 0.4]}, spool="0.5*sin(t)", areas=[2e-3, 1.2e-3], volumes=[2e-4, 2e-4], stroke=[0.7, 1.2], flow=4e-7, supply=1e7, pressures=[3e6, 5e6])
        """
    def damper(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        damping: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> None:
        """Two points slowed down along the line between them.

        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        damping: force per rate of elongation [N s/m]
        law: the force that pulls the ends together, instead of damping [N]; may use length, rate, t

        For instance:

            m.damper(from_={"body": "axle", "at": [0, 0.3]}, to={"body": "frame", "at": [0, 0.8]}, law="1500*rate + 300*rate*abs(rate)")
        """
    def drive_distance(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        distance: Number,
    ) -> None:
        """The distance of two points is a function of time.

        It carries drive: force along the line between the points, positive where it pulls them together.

        from_: one point [m]
        to: the other point [m]
        distance: their distance; if it is another one at t = 0 the start is moved [m]

        For instance:

            m.drive_distance(from_={"body": "ground", "at": [0, 0]}, to={"body": "crank", "at": [0.5, 0]}, distance="0.5 + 0.1*sin(2*t)")
        """
    def drive_joint(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        motion: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
    ) -> None:
        """The coordinate of a joint follows a function of time.

        It carries drive: moment or force on the first body of the joint, along the coordinate.

        joint: the joint
        motion: angle or displacement of the second body against the first, counted from the positions as they are given; if it is not 0 at t = 0 the start is moved [rad or m]
        coordinate: which one, for joints with two; one of angle, displacement

        For instance:

            m.drive_joint(joint="main", motion="10*t")
        """
    def drive_point(
        self,
        name: Optional[str] = None,
        *,
        point: End,
        motion: Vector,
    ) -> None:
        """A point of a body follows a path that is a function of time.

        It carries x, y (z in space): minus the force on the body, ground frame.

        point: the point [m]
        motion: where it is, in the ground frame; if that is not `at` for t = 0 the start is moved [m]

        For instance:

            m.drive_point(point={"body": "crank", "at": [0.5, 0]}, motion=["0.5 + 0.1*sin(3*t)", 0])
        """
    def friction(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        viscous: Optional[Number] = None,
        coulomb: Optional[Number] = None,
        breakaway: Optional[Number] = None,
        stribeck: Optional[Number] = None,
        transition: Optional[Number] = None,
    ) -> None:
        """Viscous and smoothed dry friction in a joint; kind "stick-slip" is the dry one that sticks.

        joint: where it rubs
        coordinate: which one, for joints with two; one of angle, displacement
        viscous: force per rate [N s/m, N m s/rad]; 0 unless given
        coulomb: while sliding [N, N m]; 0 unless given
        breakaway: near rest; 0: as while sliding [N, N m]; 0 unless given
        stribeck: how fast breakaway is forgotten [m/s, rad/s]; 0 unless given
        transition: below this speed it creeps [m/s, rad/s]; 1e-3 unless given

        For instance:

            m.friction(joint="main", viscous=0.02, coulomb=0.5)
        """
    def branch_inductor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        inductance: Number,
        current: Optional[Number] = None,
    ) -> str:
        """An inductor, with its current as state.

        nodes: electrical nodes [V]; may use from, to
        inductance: flux per current [H]
        current: at the start, from the first node to the second [A]; 0 unless given

        For instance:

            m.branch_inductor("inductor1", nodes=["a", "b"], inductance="5 mH")
        """
    def branch_diode(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        saturation: Number,
        thermal: Optional[Number] = None,
    ) -> str:
        """A diode: saturation (exp(voltage/thermal) - 1).

        nodes: electrical nodes [V]; may use anode, cathode
        saturation: the current in the direction that is shut [A]
        thermal: voltage by which the current grows e-fold [V]; 0.026 unless given

        For instance:

            m.branch_diode("diode1", nodes=["a", "ground"], saturation=1e-9)
        """
    def branch_transistor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        saturation: Number,
        gain: Optional[Number] = None,
        thermal: Optional[Number] = None,
    ) -> str:
        """An npn transistor in forward direction; that its collector falls below its base is not part of it.

        nodes: electrical nodes [V]; may use base, collector, emitter
        gain: collector current per emitter current; 0.99 unless given
        saturation: the current in the direction that is shut [A]
        thermal: voltage by which the current grows e-fold [V]; 0.026 unless given

        For instance:

            m.branch_transistor("transistor1", nodes=["b", "c", "e"], saturation=1e-6)
        """
    def motor(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        voltage: Number,
        constant: Number,
        resistance: Number,
        inductance: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        ratio: Optional[Number] = None,
        current: Optional[Number] = None,
    ) -> None:
        """A direct-current motor behind a gear, with its current; the inertia of its rotor is not part of it.

        joint: what it turns
        coordinate: which one, for joints with two; one of angle, displacement
        voltage: of the source [V]; may use t, position, rate
        constant: torque per current = voltage per speed [N m/A]
        resistance: of the winding [ohm]
        inductance: of the winding [H]
        ratio: turns of the rotor per turn of the joint; 1 unless given
        current: at the start [A]; 0 unless given

        For instance:

            m.motor(joint="shoulder", voltage="12*sin(5*t)", constant=0.05, resistance=1, inductance=5e-3, ratio=20)
        """
    def node_electrical(
        self,
        name: str,
    ) -> str:
        """A node of a circuit; "ground" is at 0 V.


        For instance:

            m.node_electrical("electrical1")
        """
    def node_hydraulic(
        self,
        name: str,
    ) -> str:
        """A node of a hydraulic network; "ground" is the tank, where pressures are 0.


        For instance:

            m.node_hydraulic("hydraulic1")
        """
    def branch_volume(
        self,
        name: str,
        *,
        node: str,
        volume: Number,
        bulk_modulus: Optional[Number] = None,
        pressure: Optional[Number] = None,
    ) -> str:
        """A volume of oil that gives way a little: what hoses and blocks hold.

        node: where it is connected [Pa]
        volume: of the oil [m^3]
        bulk_modulus: of the oil [Pa]; 1.5e9 unless given
        pressure: at the start; 0 unless another volume there says otherwise [Pa]

        For instance:

            m.branch_volume("volume1", node="a", volume="0.2 l", pressure="30 bar")
        """
    def branch_accumulator(
        self,
        name: str,
        *,
        node: str,
        volume: Number,
        filling: Number,
        exponent: Optional[Number] = None,
        ambient: Optional[Number] = None,
        pressure: Optional[Number] = None,
    ) -> str:
        """Gas behind a membrane, p V^n = constant; a run ends where it is empty.

        node: where it is connected [Pa]
        volume: of the gas while there is no oil [m^3]
        filling: pressure of the gas then, above the tank [Pa]
        exponent: n: 1 for slow changes, 1.4 for fast ones; 1.4 unless given
        ambient: absolute pressure of the tank [Pa]; 101325 unless given
        pressure: at the start; 0 unless another volume there says otherwise [Pa]

        For instance:

            m.branch_accumulator("accumulator1", node="supply", volume="1 l", filling="60 bar", pressure="100 bar")
        """
    def branch_orifice(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        flow: Optional[Number] = None,
        soft: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> str:
        """A flow with the root of the pressure, laminar where that is small; or by a law.

        nodes: hydraulic nodes [Pa]; may use from, to
        flow: per root of pressure: cd A sqrt(2/rho) [m^3/(s Pa^.5)]
        soft: below this the flow is laminar [Pa]; 1e5 unless given
        law: the flow, instead of flow [m^3/s]; may use pressure, t

        For instance:

            m.branch_orifice("orifice1", nodes=["supply", "a"], flow=4e-7)
        """
    def branch_pipe(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        length: Number,
        diameter: Number,
        viscosity: Optional[Number] = None,
        density: Optional[Number] = None,
        start: Optional[Number] = None,
    ) -> str:
        """A round pipe with laminar flow; the flow is a state, because the oil in it has mass.

        nodes: hydraulic nodes [Pa]; may use from, to
        length: from node to node [m]
        diameter: inside [m]
        viscosity: of the oil [Pa s]; 0.04 unless given
        density: of the oil; with 0 the flow follows at once [kg/m^3]; 860 unless given
        start: flow at the start, from the first node to the second [m^3/s]; 0 unless given

        For instance:

            m.branch_pipe("pipe1", nodes=["supply", "a"], length=2, diameter="10 mm")
        """
    def branch_pump(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        flow: Optional[Number] = None,
        joint: Optional[str] = None,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        displacement: Optional[Number] = None,
        leak: Optional[Number] = None,
    ) -> str:
        """A flow from the first node to the second, given or from the turning of a joint, with a leak back.

        nodes: hydraulic nodes [Pa]; may use suction, pressure
        flow: a function of time [m^3/s]; may use t
        joint: what drives it, instead of flow
        coordinate: which one, for joints with two; one of angle, displacement
        displacement: with joint: volume per angle [m^3/rad]; 0 unless given
        leak: back, per pressure [m^3/(s Pa)]; 0 unless given

        For instance:

            m.branch_pump("pump1", nodes=["ground", "supply"], flow=2e-4, leak=1e-12)
        """
    def branch_resistor(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        resistance: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> str:
        """A current that the voltage determines.

        nodes: electrical nodes [V]; may use from, to
        resistance: voltage per current [ohm]
        law: the current, instead of resistance [A]; may use voltage, t

        For instance:

            m.branch_resistor("resistor1", nodes=["a", "ground"], resistance="9 kohm")
        """
    def branch_voltage_source(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        voltage: Number,
    ) -> str:
        """The first node lies above the second by a function of time.

        nodes: electrical nodes [V]; may use plus, minus
        voltage: plus against minus [V]

        For instance:

            m.branch_voltage_source("voltage-source1", nodes=["a", "ground"], voltage="0.1*sin(200*pi*t)")
        """
    def branch_pressure_source(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        pressure: Number,
    ) -> str:
        """The pressure of the first node lies above that of the second by a function of time.

        nodes: hydraulic nodes [Pa]; may use high, low
        pressure: high against low [Pa]

        For instance:

            m.branch_pressure_source("pressure-source1", nodes=["supply", "ground"], pressure="210 bar")
        """
    def branch_current_source(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        current: Number,
    ) -> str:
        """A current that is a function of time.

        nodes: electrical nodes [V]; may use from, to
        current: through the source, from the first node to the second [A]; may use t

        For instance:

            m.branch_current_source("current-source1", nodes=["ground", "a"], current="2*step(t - 1)")
        """
    def beam(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        EA: Number,
        GJ: Number,
        EI_y: Number,
        EI_z: Optional[Number] = None,
        y: Optional[Vector] = None,
        damping: Optional[Number] = None,
    ) -> None:
        """A slender beam without mass, clamped to two bodies, for small bending and any motion.

        from_: where it is clamped to one body [m]
        to: and to the other [m]
        EA: stiffness against stretching [N]
        GJ: against torsion [N m^2]
        EI_y: against bending about y [N m^2]
        EI_z: about z; otherwise as about y [N m^2]
        y: where y points at the start; of round beams it does not matter
        damping: times the stiffness it is the damping [s]; 0 unless given

        For instance:

            m.beam(from_={"body": "ground", "at": [0, 0, 0]}, to={"body": "tip", "at": [1, 0, 0]}, EA=1e7, GJ=500, EI_y=800)
        """
    def body(
        self,
        name: str,
        *,
        mass: Number,
        inertia: Union[Number, MatrixLike],
        position: Optional[Vector] = None,
        orientation: Optional[Orientation] = None,
        velocity: Optional[Vector] = None,
        spin: Optional[Vector] = None,
        shape: Optional[Mapping[str, Any]] = None,
    ) -> str:
        """A rigid body: x, y, z and a unit quaternion.

        mass: mass [kg]
        inertia: about the centre of mass, in the body frame [kg m^2]
        position: of the centre of mass [m]; 0 unless given
        orientation: of the body; [1, 0, 0, 0] unless given
        velocity: of the centre of mass [m/s]; 0 unless given
        spin: angular velocity, in the body frame [rad/s]; 0 unless given
        shape: what it looks like

        For instance:

            m.body("top", mass=1, inertia=[0.2, 0.2, 0.1], position=[0, 0, 1], orientation={"axis": [1, 0, 0], "angle": "30 deg"}, spin=[0, 0, 100])
        """
    def point(
        self,
        name: str,
        *,
        mass: Number,
        position: Optional[Vector] = None,
        velocity: Optional[Vector] = None,
        shape: Optional[Mapping[str, Any]] = None,
    ) -> str:
        """A point mass: x, y and z.

        mass: mass [kg]
        position: of the centre of mass [m]; 0 unless given
        velocity: of the centre of mass [m/s]; 0 unless given
        shape: what it looks like

        For instance:

            m.point("bob", mass=1, position=[1, 0, 0])
        """
    def bushing(
        self,
        name: Optional[str] = None,
        *,
        bodies: Sequence[str],
        at: Vector,
        stiffness: Union[Number, MatrixLike],
        at_b: Optional[Vector] = None,
        damping: Optional[Union[Number, MatrixLike]] = None,
        x: Optional[Vector] = None,
        y: Optional[Vector] = None,
    ) -> None:
        """Two bodies held together elastically, against displacement and rotation.

        bodies: the two bodies; displacement is seen from the first
        at: the common point, in the ground frame at the start [m]
        at_b: that of the second body, if it starts loaded [m]
        stiffness: 6x6, of displacement x, y, z and rotation vector; six numbers for a diagonal [N/m, N m/rad]
        damping: 6x6, of their rates [N s/m, N m s/rad]
        x: its first axis at the start; [1, 0, 0] unless given
        y: its second axis, as far as it is across the first; [0, 1, 0] unless given

        For instance:

            m.bushing(bodies=["ground", "engine"], at=[0, 0, 0.4], stiffness=[2e5, 2e5, 5e5, 800, 800, 400], damping=[300, 300, 600, 2, 2, 1])
        """
    def constant_velocity(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        first_axis: Vector,
        second_axis: Vector,
    ) -> str:
        """Two shafts meet in a point and turn equally fast, whatever the angle between them.

        It carries x, y, z: force on the first body at the point, in the ground frame; torque: moment on the first body about its axis.

        bodies: the two bodies
        at: where the axes meet, in the ground frame at the start [m]
        first_axis: of the first shaft at the start
        second_axis: of the second shaft at the start; where the shafts are in line it is the same direction

        For instance:

            m.constant_velocity("constant-velocity1", bodies=["shaft", "axle"], at=[0, 0, 0], first_axis=[1, 0, 0], second_axis=[1, 0.3, 0])
        """
    def distance(
        self,
        name: str,
        *,
        from_: End,
        to: End,
        length: Optional[Number] = None,
    ) -> str:
        """Two points keep their distance.

        It carries rod: force along the rod, positive where it is pulled.

        from_: one end [m]
        to: the other end [m]
        length: the distance; unless given that of the start [m]

        For instance:

            m.distance("distance1", from_={"body": "ground", "at": [0, 0, 0]}, to={"body": "bob", "at": [1, 0, 0]}, length=1)
        """
    def fixed(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
    ) -> str:
        """Two bodies do not move against each other.

        It carries x, y, z: force on the first body at the point, in the ground frame; moment_x, moment_y, moment_z: moment on the first body about axes fixed to it, which are those of the ground at the start.

        bodies: the two bodies
        at: where the reaction is taken, in the ground frame at the start [m]

        For instance:

            m.fixed("fixed1", bodies=["ground", "post"], at=[0, 0, 0])
        """
    def gear(
        self,
        name: str,
        *,
        first: str,
        second: str,
        teeth: Optional[Vector] = None,
        ratio: Optional[Number] = None,
    ) -> str:
        """The angles of two joints turn in the ratio of two whole numbers.

        It carries moment: minus that on the second body of the second joint about its axis; the second body of the first joint feels teeth_1/teeth_2 times as much, the first bodies the opposites.

        first: the joint of the first wheel, the wheel being its second body
        second: the joint of the other wheel likewise
        teeth: teeth of both wheels, negative for a ring with teeth inside
        ratio: instead of the teeth: turns of the second wheel for one of the first, a quotient of whole numbers up to 1000; negative if they turn against each other

        For instance:

            m.gear("gear1", first="sun_axis", second="planet_axis", teeth=[20, 40])
        """
    def knife_edge(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        along: Vector,
        normal: Optional[Vector] = None,
    ) -> str:
        """A point of the second body moves along its blade only, as seen on a plane of the first; what keeps it on the plane is another joint.

        It carries side: force on the first body along normal x blade.

        bodies: the body with the plane, and the one with the blade
        at: where the blade is, in the ground frame at the start [m]
        along: the direction of the blade at the start, fixed to the second body
        normal: of the plane at the start, fixed to the first body; [0, 0, 1] unless given

        For instance:

            m.knife_edge("knife-edge1", bodies=["ground", "sleigh"], at=[0, 0, 0], along=[1, 0, 0])
        """
    def force(
        self,
        name: Optional[str] = None,
        *,
        body: str,
        force: Vector,
        at: Optional[Vector] = None,
        frame: Optional[Literal["ground", "body"]] = None,
    ) -> None:
        """A force on a point of a body.

        body: what it acts on
        at: the point, in the ground frame at the start; otherwise the centre of mass [m]
        force: its components; x to vz are those of the point in the ground frame [N]; may use t, x, y, z, vx, vy, vz, omega1, omega2, omega3
        frame: in which the components are given; one of ground, body; "ground" unless given

        For instance:

            m.force(body="rotor", at=[0, 0, 1], force=["10*sin(t)", 0, "-2*vz"])
        """
    def torque(
        self,
        name: Optional[str] = None,
        *,
        body: str,
        torque: Vector,
        frame: Optional[Literal["ground", "body"]] = None,
    ) -> None:
        """A torque on a body.

        body: what it acts on
        torque: its components; omega is the angular velocity in the body frame, x to vz of the centre of mass [N m]; may use t, x, y, z, vx, vy, vz, omega1, omega2, omega3
        frame: in which the components are given; one of ground, body; "ground" unless given

        For instance:

            m.torque(body="rotor", frame="body", torque=[0, 0, "2 - 0.1*omega3"])
        """
    def planar(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        normal: Vector,
    ) -> str:
        """The second body slides and turns on a plane of the first.

        It carries normal: force on the first body along the normal, at the point of the second; moment_u, moment_v: moment on the first body; u and v are across the normal and fixed to the first body, normal x u = v.

        bodies: the body with the plane, and the other one
        at: a point of the second body, in the ground frame at the start [m]
        normal: of the plane, at the start

        For instance:

            m.planar("planar1", bodies=["ground", "puck"], at=[0, 0, 0], normal=[0, 0, 1])
        """
    def point_on_line(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        axis: Vector,
    ) -> str:
        """A point of the second body stays on a line of the first.

        It carries u, v: force on the first body, at the point; u and v are across the axis and fixed to the first body, axis x u = v.

        bodies: the body with the line, and the one with the point
        at: the point, in the ground frame at the start [m]
        axis: the direction of the line at the start

        For instance:

            m.point_on_line("point-on-line1", bodies=["ground", "rod"], at=[0.5, 0, 0], axis=[1, 0, 0])
        """
    def point_on_plane(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        normal: Vector,
    ) -> str:
        """A point of the second body stays in a plane of the first.

        It carries normal: force on the first body along the normal, at the point.

        bodies: the body with the plane, and the one with the point
        at: the point, in the ground frame at the start [m]
        normal: of the plane, at the start

        For instance:

            m.point_on_plane("point-on-plane1", bodies=["ground", "leg"], at=[0.5, 0, 0], normal=[0, 0, 1])
        """
    def revolute(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        axis: Vector,
    ) -> str:
        """Two bodies turn about a common axis.

        It carries x, y, z: force on the first body at the point, in the ground frame; moment_u, moment_v: moment on the first body; u and v are across the axis and fixed to the first body, axis x u = v.

        bodies: the two bodies
        at: a point of the axis, in the ground frame at the start [m]
        axis: its direction at the start

        For instance:

            m.revolute("revolute1", bodies=["ground", "crank"], at=[0, 0, 0], axis=[0, 0, 1])
        """
    def rolling_disc(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        radius: Number,
        axle: Vector,
        centre: Optional[Vector] = None,
        at: Optional[Vector] = None,
        normal: Optional[Vector] = None,
    ) -> str:
        """A thin disc stays on a plane and rolls without slip.

        It carries normal, u, v: force on the first body where the two touch, along the normal and across it; all are fixed to that body, normal x u = v. Nothing lifts off: the normal force is negative where the plane is pressed.

        bodies: the body with the plane, and the one that rolls
        radius: of what rolls [m]
        centre: of what rolls, in the ground frame at the start; unless given its centre of mass [m]
        axle: of the disc at the start
        at: a point of the plane, in the ground frame at the start [m]; [0, 0, 0] unless given
        normal: of the plane at the start, towards the rolling body; [0, 0, 1] unless given

        For instance:

            m.rolling_disc("rolling-disc1", bodies=["ground", "coin"], radius=0.26, axle=[0, 1, 0])
        """
    def rolling_ball(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        radius: Number,
        centre: Optional[Vector] = None,
        at: Optional[Vector] = None,
        normal: Optional[Vector] = None,
    ) -> str:
        """A ball stays on a plane and rolls without slip.

        It carries normal, u, v: force on the first body where the two touch, along the normal and across it; all are fixed to that body, normal x u = v. Nothing lifts off: the normal force is negative where the plane is pressed.

        bodies: the body with the plane, and the one that rolls
        radius: of what rolls [m]
        centre: of what rolls, in the ground frame at the start; unless given its centre of mass [m]
        at: a point of the plane, in the ground frame at the start [m]; [0, 0, 0] unless given
        normal: of the plane at the start, towards the rolling body; [0, 0, 1] unless given

        For instance:

            m.rolling_ball("rolling-ball1", bodies=["ground", "ball"], radius=0.1)
        """
    def screw(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        axis: Vector,
        pitch: Number,
    ) -> str:
        """The second body turns about an axis of the first and moves along it by the pitch for each turn.

        It carries u, v: force on the first body, at the point of the second; moment_u, moment_v: moment on the first body; axial: force on the first body along the axis, with the moment -pitch/(2 pi) times it about the axis; u and v are across the axis and fixed to the first body, axis x u = v.

        bodies: the two bodies
        at: a point of the axis, in the ground frame at the start [m]
        axis: its direction at the start
        pitch: way along the axis for one turn; negative for a left-handed thread [m]

        For instance:

            m.screw("screw1", bodies=["ground", "nut"], at=[0, 0, 0], axis=[0, 0, 1], pitch=0.01)
        """
    def cylindrical(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        axis: Vector,
    ) -> str:
        """Two bodies slide along a common axis and turn about it.

        It carries u, v: force on the first body, at the point of the second; moment_u, moment_v: moment on the first body; u and v are across the axis and fixed to the first body, axis x u = v.

        bodies: the two bodies
        at: a point of the axis, in the ground frame at the start [m]
        axis: its direction at the start

        For instance:

            m.cylindrical("cylindrical1", bodies=["ground", "rod"], at=[0, 0, 0], axis=[1, 0, 0])
        """
    def prismatic(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        axis: Vector,
    ) -> str:
        """Two bodies slide along a common axis and do not turn against each other.

        It carries u, v: force on the first body, at the point of the second; moment_u, moment_v, moment_axis: moment on the first body; u and v are across the axis and fixed to the first body, axis x u = v.

        bodies: the two bodies
        at: a point of the axis, in the ground frame at the start [m]
        axis: its direction at the start

        For instance:

            m.prismatic("prismatic1", bodies=["ground", "slider"], at=[0.5, 0, 0], axis=[1, 0, 0])
        """
    def spherical(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
    ) -> str:
        """Two bodies turn about a common point, every way.

        It carries x, y, z: force on the first body, in the ground frame.

        bodies: the two bodies
        at: the common point, in the ground frame at the start; of a point mass it is where the mass is [m]

        For instance:

            m.spherical("spherical1", bodies=["ground", "top"], at=[0, 0, 0])
        """
    def universal(
        self,
        name: str,
        *,
        bodies: Sequence[str],
        at: Vector,
        first_axis: Vector,
        second_axis: Vector,
    ) -> str:
        """Two bodies share a cross: one axis is fixed to each, and they stay at right angles.

        It carries x, y, z: force on the first body at the point, in the ground frame; moment on the first body about first axis x second axis.

        bodies: the two bodies
        at: where the axes meet, in the ground frame at the start [m]
        first_axis: of the cross in the first body, at the start
        second_axis: of the cross in the second body, at the start

        For instance:

            m.universal("universal1", bodies=["shaft", "spindle"], at=[0, 0, 0], first_axis=[0, 1, 0], second_axis=[0, 0, 1])
        """
    def spring(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
        stiffness: Optional[Number] = None,
        length: Optional[Number] = None,
        damping: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> None:
        """Two points pulled together along the line between them, with a damper beside it.

        from_: a point fixed to a body, in the ground frame at the start [m]
        to: a point of another body [m]
        stiffness: force per elongation [N/m]
        length: without force; otherwise the one at the start [m]
        damping: force per rate of elongation [N s/m]; 0 unless given
        law: the force that pulls the ends together, instead of stiffness and length [N]; may use length, rate, t

        For instance:

            m.spring(from_={"body": "crank", "at": [0.1, 0]}, to={"body": "ground", "at": [1, 0]}, stiffness=1e3, length=0.3)
        """
    def stick_slip(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        most: Number,
        sliding: Number,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
    ) -> None:
        """Dry friction in a joint: it holds up to a limit, then slides; every change is an event.

        It carries its force or torque along the coordinate, as NAME.friction.

        joint: where it rubs
        coordinate: which one, for joints with two; one of angle, displacement
        most: what it holds at most [N, N m]; may use t, position
        sliding: while it slides [N, N m]; may use t, position, speed

        For instance:

            m.stick_slip(joint="guide", most=16, sliding="12 + 4*exp(-(speed/0.05)^2)")
        """
    def torsion_spring(
        self,
        name: Optional[str] = None,
        *,
        joint: str,
        stiffness: Optional[Number] = None,
        angle: Optional[Number] = None,
        damping: Optional[Number] = None,
        law: Optional[Number] = None,
    ) -> None:
        """The angle of a joint pulled back, with a damper beside it; full turns are counted.

        joint: a revolute or cylindrical joint
        stiffness: torque per angle [N m/rad]
        angle: without torque, counted from the start [rad]; 0 unless given
        damping: torque per angular velocity [N m s/rad]; 0 unless given
        law: the torque that makes the angle smaller, instead of the others [N m]; may use angle, rate, t

        For instance:

            m.torsion_spring(joint="main", stiffness=20, angle=0.1)
        """
    def branch_transformer(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        ratio: Number,
    ) -> str:
        """An ideal transformer: voltages in a ratio, currents in its inverse.

        nodes: electrical nodes [V]; may use plus1, minus1, plus2, minus2
        ratio: turns of the first winding per turn of the second

        For instance:

            m.branch_transformer("transformer1", nodes=["a", "ground", "b", "ground"], ratio=10)
        """
    def branch_valve(
        self,
        name: str,
        *,
        nodes: Sequence[str],
        spool: Number,
        flow: Number,
        soft: Optional[Number] = None,
        underlap: Optional[Number] = None,
        joint: Optional[str] = None,
        coordinate: Optional[Literal["angle", "displacement"]] = None,
        signal: Optional[Sequence[str]] = None,
    ) -> str:
        """A servo valve: its spool opens the supply to a and b to the tank, or the other way round; its edges are NAME.pa, NAME.bt, NAME.pb and NAME.at.

        nodes: hydraulic nodes [Pa]; may use supply, tank, a, b
        spool: 1: supply to a fully open, -1: supply to b; may use t, position, rate, signal
        flow: of an open edge, per root of pressure [m^3/(s Pa^.5)]
        soft: below this the flow is laminar [Pa]; 1e5 unless given
        underlap: of the spool, as part of its stroke; 0.05 unless given
        joint: whose position and rate the spool may use
        coordinate: which one, for joints with two; one of angle, displacement
        signal: whose voltage the spool may use [V]; may use plus, minus

        For instance:

            m.branch_valve("valve1", nodes=["supply", "ground", "a", "b"], spool="0.5*sin(t)", flow=4e-7)
        """
    def watch_angle(
        self,
        name: Optional[str] = None,
        *,
        angle: str,
        as_: Optional[Literal["rotation-vector", "euler-zxz"]] = None,
    ) -> None:
        """Orientation of a body and its angular velocity, in the ground frame.

        angle: the body
        as_: how the orientation is written; one of rotation-vector, euler-zxz; "rotation-vector" unless given

        For instance:

            m.watch_angle("attitude", angle="top", as_="euler-zxz")
        """
    def watch_coordinate(
        self,
        name: Optional[str] = None,
        *,
        coordinate: str,
    ) -> None:
        """What a joint leaves free (angle, displacement) and its rate.

        coordinate: the joint

        For instance:

            m.watch_coordinate("stroke", coordinate="slide")
        """
    def watch_distance(
        self,
        name: Optional[str] = None,
        *,
        from_: End,
        to: End,
    ) -> None:
        """Distance between two points, and its rate.

        from_: one point [m]
        to: the other [m]

        For instance:

            m.watch_distance("gap", from_={"body": "ground", "at": [1, 0]}, to={"body": "crank", "at": [0, 0]})
        """
    def watch_energy(
        self,
        name: Optional[str] = None,
        *,
        energy: Literal["kinetic", "potential", "total"],
    ) -> None:
        """Kinetic, potential or total energy of the mechanism.

        energy: which one; one of kinetic, potential, total

        For instance:

            m.watch_energy("E", energy="total")
        """
    def watch_expression(
        self,
        name: Optional[str] = None,
        *,
        expression: str,
        unit: Optional[str] = None,
    ) -> None:
        """An expression of t and of watches that came before, by their names.

        expression: what is computed
        unit: the unit it is shown with; "" unless given

        For instance:

            m.watch_expression("ratio", expression="bearing.x/bearing.norm")
        """
    def watch_potential(
        self,
        name: Optional[str] = None,
        *,
        potential: str,
    ) -> None:
        """Voltage of a node against the ground, or pressure above the tank.

        potential: the node

        For instance:

            m.watch_potential("output", potential="a")
        """
    def watch_branch(
        self,
        name: Optional[str] = None,
        *,
        branch: str,
        quantity: Optional[Literal["current", "difference", "power"]] = None,
    ) -> None:
        """What a branch of a network does.

        branch: the branch, or a part of it
        quantity: current or flow from the first node into it; difference of the potentials of its first two nodes; power that it takes from the network; one of current, difference, power; "current" unless given

        For instance:

            m.watch_branch("heat", branch="R1", quantity="power")
        """
    def watch_point(
        self,
        name: Optional[str] = None,
        *,
        point: End,
        quantity: Optional[Literal["position", "velocity", "acceleration"]] = None,
    ) -> None:
        """Position, velocity or acceleration of a point of a body, in the ground frame.

        point: the point [m]
        quantity: what to tell of it; one of position, velocity, acceleration; "position" unless given

        For instance:

            m.watch_point("tip", point={"body": "crank", "at": [1, 0]}, quantity="velocity")
        """
    def watch_reaction(
        self,
        name: Optional[str] = None,
        *,
        reaction: str,
        on: Optional[Literal["a", "b"]] = None,
        frame: Optional[Literal["ground", "a", "b"]] = None,
    ) -> None:
        """Force and moment of a joint on one of its bodies, at the joint's point; of a drive its force or moment along what it drives.

        reaction: the joint or drive
        on: the body that is pushed; moments are about its own point of the joint, fixed to it, the ground too (of racks and what rolls: where the centre was on it at the start); one of a, b; "b" unless given
        frame: the frame of the components; one of ground, a, b; "ground" unless given

        For instance:

            m.watch_reaction("bearing", reaction="main")
        """
    def watch_whole(
        self,
        name: Optional[str] = None,
        *,
        whole: Literal["centre-of-mass", "momentum", "angular-momentum"],
    ) -> None:
        """Centre of mass, momentum or angular momentum (about the origin) of the mechanism.

        whole: which one; one of centre-of-mass, momentum, angular-momentum

        For instance:

            m.watch_whole("L", whole="angular-momentum")
        """

// Where the bodies are at the time shown.
import * as THREE from "three";
import type { Frames, Recording } from "./data";

// Faster than this from one frame to the next is a reset of the scene, not a motion.
const kResetSpeed = 60; // m/s

const kOne = new THREE.Vector3(1, 1, 1);

export class Poses {
  readonly matrices: THREE.Matrix4[]; // [bodies] frame of the body in the world
  private readonly next = { position: new THREE.Vector3(), turn: new THREE.Quaternion() };
  private readonly now = { position: new THREE.Vector3(), turn: new THREE.Quaternion() };

  constructor(private readonly recording: Recording) {
    this.matrices = recording.bodies.map(() => new THREE.Matrix4());
    this.show(0, 0);
  }

  // At a frame, or between it and the next one (0 ≤ fraction < 1).
  show(frame: number, fraction: number): void {
    const { frames } = this.recording;
    const stride = 7 * this.matrices.length;
    const between = fraction > 0 && frame + 1 < frames.count;
    const { now, next } = this;
    this.matrices.forEach((matrix, body) => {
      const at = frame * stride + 7 * body;
      readPose(frames.pose, at, now.position, now.turn);
      if (between && !isReset(frames, frame, at, stride)) {
        readPose(frames.pose, at + stride, next.position, next.turn);
        now.position.lerp(next.position, fraction);
        now.turn.slerp(next.turn, fraction);
      }
      matrix.compose(now.position, now.turn, kOne);
    });
  }

  position(body: number): THREE.Vector3 {
    return new THREE.Vector3().setFromMatrixPosition(this.matrices[body]!);
  }
}

export function readPose(pose: ArrayLike<number>, at: number, position: THREE.Vector3, turn: THREE.Quaternion): void {
  position.set(pose[at]!, pose[at + 1]!, pose[at + 2]!);
  turn.set(pose[at + 4]!, pose[at + 5]!, pose[at + 6]!, pose[at + 3]!);
}

export function poseMatrix(pose: ArrayLike<number>, scale = kOne): THREE.Matrix4 {
  const position = new THREE.Vector3();
  const turn = new THREE.Quaternion();
  readPose(pose, 0, position, turn);
  return new THREE.Matrix4().compose(position, turn, scale);
}

function isReset(frames: Frames, frame: number, at: number, stride: number): boolean {
  const { pose, time } = frames;
  const distance = Math.hypot(
    pose[at + stride]! - pose[at]!, pose[at + stride + 1]! - pose[at + 1]!, pose[at + stride + 2]! - pose[at + 2]!);
  return distance > kResetSpeed * (time[frame + 1]! - time[frame]!);
}

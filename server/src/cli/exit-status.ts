/**
 * Every status of every command, part of what stays stable (docs/operate/releases.md). Interrupted by a second signal, a
 * command ends with 130 or 143, as the shell expects.
 */
export const exitStatus = {
  done: 0,
  /** It failed, or found errors. */
  failed: 1,
  /** Wrong usage: nothing was tried. */
  usage: 2,
  /** It worked, and the result needs a decision: differences, losses, challenges that were left out. */
  attention: 3,
} as const

/** Ends a command with a status, after it has printed everything. */
export class ExitStatus extends Error {
  override readonly name = 'ExitStatus'
  readonly status: (typeof exitStatus)[keyof typeof exitStatus]

  constructor(status: keyof typeof exitStatus) {
    super(`exit status ${status}`)
    this.status = exitStatus[status]
  }
}

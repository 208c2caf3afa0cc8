/** Ends a command with a status of its own, after it has printed everything. */
export class ExitStatus extends Error {
  override readonly name = 'ExitStatus'
  readonly status: number

  constructor(status: number) {
    super(`exit status ${status}`)
    this.status = status
  }
}

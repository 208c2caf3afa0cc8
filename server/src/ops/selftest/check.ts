import type { Fixture } from './fixture.ts'

/** Where a vulnerability was found, in enough detail to reproduce it with curl. */
export interface Finding {
  readonly method: string
  readonly path: string
  readonly role: string
  /** The vulnerability in one sentence. */
  readonly found: string
}

/** A request; without a method it reads. */
interface Place {
  readonly method?: string
  readonly path: string
}

/** Receives the results of a running check. */
export interface Report {
  finding(place: Place, role: string | { readonly name: string }, found: string): void
  /** Reports a part of the check that could not run here, and why. */
  note(text: string): void
}

export interface Check {
  /** For `--only`. */
  readonly name: string
  /** The vulnerability class (docs/operate/security.md). */
  readonly category: string
  /** The property that must hold. */
  readonly about: string
  /** How to fix a finding. */
  readonly advice: string
  run(fixture: Fixture, report: Report): Promise<void>
}

/** Ends a check that does not apply to this deployment. The report shows the reason. */
export class SkipError extends Error {
  override readonly name = 'SkipError'
}

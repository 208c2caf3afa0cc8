import type { Job } from '../src/worker/service.ts'

/** A job for tests: only what a test is about has to be named. */
export function jobOf(fields: Partial<Job> = {}): Job {
  return {
    id: 'j',
    challengeId: 'c',
    configRevision: 'r',
    userId: 't',
    submittedAt: '',
    flag: '',
    flags: [],
    inputs: {},
    instancerInstances: [],
    ...fields,
  }
}

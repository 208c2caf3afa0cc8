import { workerPolicy } from '@pennant/contract/site-policy.ts'
// The build makes them: the workers' addresses.
// oxlint-disable-next-line import/default
import patternUrl from './pattern.worker.ts?worker&url'
// oxlint-disable-next-line import/default
import solveUrl from './solve.worker.ts?worker&url'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(of: string): string }): Policy
}

interface Policy {
  createScriptURL(of: string): unknown
}

const ADDRESSES = { pattern: patternUrl, solve: solveUrl }

let policy: Policy | undefined

/**
 * None where the page's policy has no leave for it. Under Trusted Types a worker's address must come from a policy that
 * the server's header names, and that may be made once; this one knows no other address than those of our workers.
 */
export function startWorker(name: keyof typeof ADDRESSES): Worker | null {
  try {
    policy ??= makePolicy()
    return new Worker(policy.createScriptURL(name) as string, { type: 'module' })
  } catch {
    return null
  }
}

function makePolicy(): Policy {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  const rules = { createScriptURL: (name: string) => ADDRESSES[name as keyof typeof ADDRESSES] }
  return trustedTypes ? trustedTypes.createPolicy(workerPolicy, rules) : rules
}

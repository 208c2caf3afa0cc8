/** A JSON object as the API server stores it. */
export interface Kept {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    generation?: number
    deletionTimestamp?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  spec?: Record<string, unknown>
  status?: object
}

/** JSON Merge Patch (RFC 7386). */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const merged: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

export interface Cause {
  readonly reason: string
  readonly message: string
}

/** An error response, sent as a Status object. */
export class Failure extends Error {
  readonly code: number
  readonly reason: string
  readonly causes: readonly Cause[]

  constructor([code, reason]: readonly [number, string], message: string, causes: readonly Cause[] = []) {
    super(message)
    this.code = code
    this.reason = reason
    this.causes = causes
  }
}

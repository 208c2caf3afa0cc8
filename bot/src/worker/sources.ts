import { compileSource, type Compiled, type CompilerDeps } from './compiler.ts'
import type { Service } from './service.ts'

/** Size of the LRU cache of compiled code, in challenges. */
const MAX_CHALLENGES = 256
/** And in characters. Most challenges compile to a few thousand; one may have eight million. */
const MAX_CODE_LENGTH = 32 * 1024 * 1024

interface Kept {
  readonly revision: string
  readonly compiled: Compiled
}

export interface Sources {
  /** The compiled code of a revision. Throws when it cannot be fetched or does not compile. */
  load(challengeId: string, revision: string): Promise<Compiled>
}

/** Caches compiled code by challenge: one revision each, because an old one has few jobs left. */
export function createSources(
  service: Pick<Service, 'readSource'>,
  deps: CompilerDeps,
  maxCodeLength = MAX_CODE_LENGTH,
): Sources {
  const kept = new Map<string, Kept>()
  return {
    async load(challengeId, revision) {
      const known = kept.get(challengeId)
      if (known?.revision === revision) return known.compiled
      const source = await service.readSource(challengeId, revision)
      const compiled = await compileSource(source.sourceCode, deps)
      if ('detail' in compiled) throw new Error(`the code does not compile: ${compiled.detail}`)
      kept.delete(challengeId)
      kept.set(challengeId, { revision: source.configRevision, compiled })
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_CHALLENGES && lengthOf(kept) <= maxCodeLength) break
        kept.delete(oldest)
      }
      return compiled
    },
  }
}

function lengthOf(kept: ReadonlyMap<string, Kept>): number {
  return [...kept.values()].reduce((sum, { compiled }) => sum + compiled.code.length, 0)
}

import { z } from 'zod'
import type { Attempt, FlagEntry, FlagProvider, Flags, OpenFlag } from './flags.ts'

/** The kinds of flags by name, and the rules for several flags in one challenge. */
export function createFlags(providers: readonly FlagProvider[]): Flags {
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  // Entry objects live as long as their version of the challenge, so each is opened once.
  const opened = new WeakMap<FlagEntry, OpenFlag | null>()

  /** Null when no provider accepts the entry: it never matches. */
  function open(entry: FlagEntry): OpenFlag | null {
    const known = opened.get(entry)
    if (known !== undefined) return known
    const provider = byName.get(entry.provider)
    const config = provider?.config.safeParse(entry.config)
    const flag = provider && config?.success ? provider.open(config.data) : null
    opened.set(entry, flag)
    return flag
  }

  return {
    describe: () => providers.map(({ name, config }) => ({ name, schema: schemaOf(config) })),
    check: (entry) => check(byName, entry),

    async findMatch(entries, attempt: Attempt) {
      const matches = await Promise.all(entries.map((entry) => open(entry)?.accepts(attempt) ?? null))
      const index = matches.findIndex((match) => match !== null)
      const [entry, accepted] = [entries[index], matches[index]]
      return entry && accepted ? { index, ...entry, ...accepted } : null
    },

    async flagsForTeam({ id, flags }, teamId) {
      const found: { provider: string; flag: string }[] = []
      for (const entry of flags) {
        const flag = (await open(entry)?.valueFor(id, teamId)) ?? null
        if (flag !== null) found.push({ provider: entry.provider, flag })
      }
      return found
    },
  }
}

async function check(
  byName: ReadonlyMap<string, FlagProvider>,
  entry: FlagEntry,
): Promise<{ readonly entry: FlagEntry } | { readonly problem: string }> {
  const provider = byName.get(entry.provider)
  if (!provider) return { problem: `provider: there are ${[...byName.keys()].join(', ')}` }
  const checked = provider.config.safeParse(entry.config)
  if (!checked.success) {
    const [issue] = checked.error.issues
    return { problem: `${['config', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}` }
  }
  const problem = await provider.problemOf?.(checked.data)
  if (problem) return { problem: `config.${problem}` }
  // Stored as sent, without defaults: tools compare what they read with what they would write.
  return { entry: { provider: provider.name, config: entry.config } }
}

function schemaOf(config: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(config, { io: 'input' })
  return schema
}

import type { Log } from '../../lib/log.ts'
import type { RegexTester } from '../../lib/regex.ts'
import { dynamicFlags, type MintedFlags } from './dynamic.ts'
import type { FlagProvider } from './flags.ts'
import type { Chance } from './minting.ts'
import { regexFlags } from './regex.ts'
import { staticFlags } from './static.ts'

export interface FlagTools {
  readonly regex: RegexTester
  readonly minted: MintedFlags
  readonly chance: Chance
  readonly log: Log
}

export function flagProviders(tools: FlagTools): readonly FlagProvider[] {
  return [staticFlags, regexFlags(tools), dynamicFlags(tools)]
}

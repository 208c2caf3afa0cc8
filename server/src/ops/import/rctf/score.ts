import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type { ProviderContext } from '../../../providers/provider.ts'
import { scoreProviders } from '../../../providers/scores/all.ts'
import { isObject, objectOf, textOrNull, type Json } from '../json.ts'
import type { Report } from '../report.ts'

/** The score formula that the configuration of rCTF names; null if it names none, or one that Pennant does not have. */
export async function sourceScore(
  config: Json | null,
  { context, report }: { readonly context: ProviderContext; readonly report: Report },
): Promise<ScoreFormula | null> {
  const given = config?.['scoreProvider']
  const name = typeof given === 'string' ? given : textOrNull(objectOf(given)['name'])
  if (name === null) return null
  const options = isObject(given) ? objectOf(given['options']) : {}
  const found = scoreProviders.find((provider) => provider.name === name)
  const checked = found?.options.safeParse(options)
  if (found && checked?.success) return await found.start(checked.data as never, context)
  report.loss(
    'score-provider',
    'The score provider of the source is unknown, so the standings cannot be compared with its own.',
    name,
  )
  return null
}

import { readTree } from '../ops/challenges-as-code/disk-tree.ts'
import { plain } from '../ops/challenges-as-code/diff.ts'
import { lineOfFinding } from '../ops/challenges-as-code/finding.ts'
import type { LocalChallenge } from '../ops/challenges-as-code/check-translation.ts'
import { readChallenges } from '../ops/challenges-as-code/read-project.ts'
import { createSite } from '../ops/challenges-as-code/site.ts'
import { StartError } from '../lib/errors.ts'
import { siteOptions } from './challenge-site.ts'
import { readOptionsOf, type ChallengesCommand } from './compare-challenges.ts'
import type { ProcessContext } from './process-context.ts'

interface Tried {
  readonly id: string
  readonly file: string
  /** Position in the flags of the document, from 1. */
  readonly number: number
  /** Null: a pattern or a template, which names no flag that could be tried. */
  readonly flag: string | null
}

const OUTCOMES = {
  accepted: 'accepted',
  refused: 'REFUSED: the site has other flags; see `pennant challenges diff`',
  noFlag: 'REFUSED: the challenge of the site takes no flags',
  noChallenge: 'REFUSED: there is no such challenge on the site',
  untried: 'not tried: it has no value; add `flagValue`, or try a flag in the editor',
} as const

/** `pennant challenges check`: tries the flags of the documents on the site without submitting them. */
export async function checkChallenges(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand,
): Promise<void> {
  const site = createSite(await siteOptions(context, command))
  const { challenges, findings } = await readChallenges(await readTree(folder), readOptionsOf(command))
  const errors = findings.filter(({ level }) => level === 'error')
  for (const finding of errors) context.complain(plain(lineOfFinding(finding)))
  const tried = challenges.flatMap(flagsOf)
  const named = tried.flatMap(({ id, flag }) => (flag === null ? [] : [{ challengeId: id, flag }]))
  const trials = (await site.tryFlags(named)).values()
  const results = tried.map(({ flag, ...place }) => ({
    ...place,
    outcome: flag === null ? ('untried' as const) : (trials.next().value?.outcome ?? ('untried' as const)),
  }))
  if (command.json) context.print(JSON.stringify({ results }))
  else
    for (const { id, file, number, outcome } of results)
      context.print(plain(`${id}  ${file}: flag ${number}: ${OUTCOMES[outcome]}`))
  const refused = results.filter(({ outcome }) => outcome !== 'accepted' && outcome !== 'untried').length
  if (refused > 0) throw new StartError(`The site does not accept ${refused} of ${results.length} flags.`)
  if (errors.length > 0) throw new StartError('Documents with errors were not checked.')
}

function flagsOf({ value: { id, flags = [] }, file }: LocalChallenge): Tried[] {
  return flags.map(({ config }, index) => {
    const flag = config['flag'] ?? config['flagValue']
    return { id, file, number: index + 1, flag: typeof flag === 'string' ? flag : null }
  })
}

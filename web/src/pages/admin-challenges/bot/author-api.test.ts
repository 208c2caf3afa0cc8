import { readFileSync } from 'node:fs'
import { javascript } from '@codemirror/lang-javascript'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { botApiMessages, type BotApiMessages } from '../../../text/en/bot-api.ts'
import { placeAt } from '../../../ui/rich/typescript-place.ts'
import { authorOffers } from './author-api.ts'

/** Returns the first completion offered at the `|`, or null if there is none. */
function firstAt(marked: string): string | null {
  const at = marked.indexOf('|')
  const doc = marked.replace('|', '')
  const made = EditorState.create({ doc, extensions: javascript({ typescript: true }) })
  ensureSyntaxTree(made, doc.length, 5000)
  // A new editor state is only parsed as far as the time budget allows; on a slow machine that is incomplete.
  const { state } = made.update({})
  const typed = /\w*$/.exec(doc.slice(0, at))?.[0].length ?? 0
  const place = placeAt(state, at - typed, at)
  return place && (authorOffers(botApiMessages.english)(place)[0]?.name ?? null)
}

test.each([
  ['new Challenge({ | })', 'timeoutMilliseconds'],
  ['new Challenge({ timeoutMilliseconds: 1, bro| })', 'timeoutMilliseconds'],
  ['new Challenge({ inputs: { url: { pa| } } })', 'pattern'],
  ['new Challenge({ inputs: { u| } })', null],
  ['new Challenge({ hooksConfig: { show| } })', 'showConsoleLogs'],
  ['new Challenge({ restrictDomains: { host: { a| } } })', 'allowRegex'],
  ['new Challenge({ async handler({ in| }) {} })', 'browserContext'],
  ['new Challenge({ async handler({ job }) { job.| } })', 'challengeId'],
  ['new Challenge({ async handler({ job }) { job.instancerInstances[0].h| } })', 'type'],
  ['new Challenge({ async handler({ output }) { send({ a| }) } })', null],
  ['new Map({ | })', null],
])('%s: %s', (marked, name) => {
  expect(firstAt(marked)).toBe(name)
})

test('the names match the module that authors import', () => {
  const source = readFileSync(new URL('../../../../../bot/src/author/challenge.ts', import.meta.url), 'utf8')
  const namesOf = (kind: string) => {
    const body = new RegExp(`interface ${kind}\\b[^{]*\\{\\n([^}]*?\\n)\\}`).exec(
      source.replaceAll(/\{[^{}\n]*\}/g, ''),
    )?.[1]
    return [...(body ?? '').matchAll(/^ {2}(?:readonly )?(\w+)/gm)].map(([, name]) => name).sort()
  }
  const kinds: Partial<Record<keyof BotApiMessages, string>> = {
    options: 'ChallengeOptions',
    input: 'InputRule',
    hooks: 'Hooks',
    rules: 'DomainRules',
    visit: 'Visit',
    job: 'VisitJob',
    instance: 'VisitedInstance',
    output: 'Output',
    logger: 'OperatorLog',
  }
  for (const [group, kind] of Object.entries(kinds))
    expect([kind, Object.keys(botApiMessages.english[group as keyof BotApiMessages]).sort()]).toEqual([
      kind,
      namesOf(kind),
    ])
})

import { fieldVisibilities } from '@pennant/contract/custom-field-values.ts'
import { writePersonAnswers, writeTeamAnswers } from '@pennant/contract/custom-fields.ts'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { expect } from 'vitest'
import { textField } from '../fields.ts'
import type { Contest, Member } from '../harness.ts'
import { personIn } from '../people.ts'

// Fields of the contest of the crawl of closed parts, one for each owner and level, with unique answers.

export const ANSWER = 'k3pt-answer-'

const owners = ['team', 'person'] as const

export const plantedFields = owners.flatMap((of) =>
  fieldVisibilities.map((visible) => textField(`${of}-${visible}`, { of, visible })),
)

/** Of the team itself. */
export async function answerFields(
  contest: Contest,
  { a, b }: Readonly<Record<'a' | 'b', Member>>,
): Promise<void> {
  for (const [letter, { token }] of Object.entries({ a, b })) {
    const fields = Object.fromEntries(
      fieldVisibilities.map((visible) => [`team-${visible}`, `${ANSWER}team-${visible}-${letter}`]),
    )
    expect((await contest.call(writeTeamAnswers, { token, body: { fields } })).kind).toBe('goodTeamAnswers')
  }
}

/** A person of the team, who is not its captain. */
export async function answeringMember(contest: Contest, { id }: Member): Promise<Member> {
  const member = await personIn(contest, id, { lifeMs: 30 * DAY_MS })
  const fields = Object.fromEntries(
    fieldVisibilities.map((visible) => [`person-${visible}`, `${ANSWER}person-${visible}-a`]),
  )
  const { token } = member
  expect((await contest.call(writePersonAnswers, { token, body: { fields } })).kind).toBe('goodPersonAnswers')
  return member
}

interface Reader {
  readonly name: string
  readonly team?: string
}

/** The answers of a team, and whether a caller may read them. */
export function plantedFor(caller: Reader, team: 'a' | 'b', seesProfile: boolean) {
  return owners.flatMap((of) =>
    fieldVisibilities.map((visible) => ({
      mark: `${ANSWER}${of}-${visible}-${team}`,
      isAllowed: mayRead(caller, { of, visible, team, seesProfile }),
    })),
  )
}

interface AskedField {
  readonly of: (typeof owners)[number]
  readonly visible: (typeof fieldVisibilities)[number]
  readonly team: 'a' | 'b'
  readonly seesProfile: boolean
}

/** The rule of fields again, written for the test. Programs and sites that a team signed in to are like strangers. */
function mayRead(caller: Reader, { of, visible, team, seesProfile }: AskedField): boolean {
  const isOwn = caller.team === team && !/^(?:another site|a program)/.test(caller.name)
  if (visible === 'everyone') return isOwn || seesProfile
  if (visible === 'team') return isOwn
  return isOwn && (of === 'person' ? caller.name === 'a member' : !caller.name.startsWith('a member'))
}

import { readAdminBotConfig } from '@pennant/contract/admin-bot.ts'
import { listChallengesV2, type ChallengeV2 } from '@pennant/contract/challenges.ts'
import { listHints } from '@pennant/contract/hints.ts'
import { MAX_FLAG_LENGTH, submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnResults } from '@pennant/contract/teams.ts'
import { z } from 'zod'
import { plural } from '../lib/plural.ts'
import { mistake, refusal } from './refusal.ts'
import { tool, type Outcome, type Part, type PlaySite } from './tool.ts'

type Challenge = z.output<typeof ChallengeV2>

/** An id or a name. Longer than any of both. */
export const ChallengeRef = z.string().min(1).max(512).describe('Id or name of a challenge.')

/** Closest names that a refusal lists. */
const MAX_OFFERED = 10

/** Finds the challenge and what the team has solved, or a refusal. */
export async function findChallenge(
  site: PlaySite,
  wanted: string,
): Promise<{ readonly challenge: Challenge } | { readonly refused: Outcome }> {
  const listed = await site.call(listChallengesV2, {})
  if (listed.kind !== 'goodChallenges') return { refused: refusal(listed) }
  const challenges = listed.data
  const text = wanted.trim().toLowerCase()
  const exact = challenges.find(({ id, name }) => id === wanted || name === wanted)
  if (exact) return { challenge: exact }
  const sameName = challenges.filter(({ name }) => name.toLowerCase() === text)
  if (sameName.length === 1 && sameName[0]) return { challenge: sameName[0] }
  const similar = challenges.filter(({ name }) => name.toLowerCase().includes(text)).slice(0, MAX_OFFERED)
  const offered = similar.map(({ id, name }) => `${inline(name)} (${id})`).join(', ')
  return {
    refused: mistake(`No challenge has this id or name. ${offered === '' ? '' : `Similar: ${offered}.`}`),
  }
}

/** A short text of the organisers within a sentence. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200)
}

export const listTool = tool({
  name: 'list_challenges',
  title: 'List challenges',
  description:
    'Lists the challenges of the event with category, points, number of solves, and which ones this team has solved.',
  input: z.object({
    category: z.string().max(256).optional().describe('Only this category.'),
    unsolved: z.boolean().optional().describe('Only what the team has not solved.'),
  }),
  isRead: true,
  async run(site, { category, unsolved }) {
    const listed = await site.call(listChallengesV2, {})
    if (listed.kind !== 'goodChallenges') return refusal(listed)
    const own = await site.call(readOwnResults, {})
    const solved = new Set(own.kind === 'goodOwnResults' ? own.data.solves.map(({ id }) => id) : [])
    const chosen = listed.data.filter(
      (one) =>
        (category === undefined || one.category.toLowerCase() === category.toLowerCase()) &&
        !(unsolved && solved.has(one.id)),
    )
    const lines = chosen.map(
      (one) =>
        `${plural(one.points, 'point')}, ${plural(one.solves, 'solve')}, ${inline(one.category)}: ${inline(one.name)} [id ${one.id}]` +
        `${solved.has(one.id) ? ', solved' : ''}${one.locked ? ', locked until others are solved' : ''}`,
    )
    return {
      parts: [
        `${plural(chosen.length, 'challenge')}, ${chosen.filter(({ id }) => solved.has(id)).length} of them solved.`,
        ...(lines.length === 0 ? [] : [{ by: 'the organisers', text: lines.join('\n') }]),
      ],
      data: {
        challenges: chosen.map(({ id, name, category: group, points, solves, tags, locked }) => ({
          id,
          name,
          category: group,
          points,
          solves,
          tags,
          solved: solved.has(id),
          locked: locked ?? false,
        })),
      },
    }
  },
})

export const readTool = tool({
  name: 'read_challenge',
  title: 'Read a challenge',
  description:
    'The description of one challenge, its files, its hints, and what it needs: an instance, or inputs of an admin bot.',
  input: z.object({ challenge: ChallengeRef }),
  isRead: true,
  async run(site, { challenge: wanted }) {
    const found = await findChallenge(site, wanted)
    if ('refused' in found) return found.refused
    const { challenge } = found
    const { id } = challenge
    const hints = challenge.hints ? await site.call(listHints, { params: { id } }) : null
    const listed = hints?.kind === 'goodHints' ? hints.data.hints : []
    const bot = challenge.adminBotInputs ? await site.call(readAdminBotConfig, { params: { id } }) : null
    const source = bot?.kind === 'goodAdminBotConfig' ? bot.data.sourceCode : null
    const parts: Part[] = [
      `Challenge ${id}: ${plural(challenge.points, 'point')}, ${plural(challenge.solves, 'solve')}.`,
      {
        by: 'the author of the challenge',
        text: `${challenge.name} (${challenge.category})\n\n${challenge.description}`,
      },
    ]
    if (challenge.files.length > 0)
      parts.push({
        by: 'the author of the challenge',
        text: `Files:\n${challenge.files.map(({ name, url }) => `${inline(name)}: ${absolute(site, url)}`).join('\n')}`,
      })
    for (const { id: hintId, price, text } of listed) {
      if (text === null) parts.push(`Hint ${hintId} costs ${price} points; buy_hint buys it.`)
      else parts.push(`Hint ${hintId}:`, { by: 'the author of the challenge', text })
    }
    if (challenge.instancerLifetime !== null)
      parts.push(
        `It has an instance for each team, which runs for ${Math.round(challenge.instancerLifetime / 60_000)} minutes: start_instance.`,
      )
    if (source !== null)
      parts.push('Source of its admin bot:', { by: 'the author of the challenge', text: source })
    return {
      parts,
      data: {
        challenge: {
          ...challenge,
          files: challenge.files.map((file) => ({ ...file, url: absolute(site, file.url) })),
          hints: listed,
          adminBotSource: source,
        },
      },
    }
  },
})

function absolute({ origin }: PlaySite, url: string): string {
  return new URL(url, `${origin}/`).href
}

/** Files of one challenge that are fetched. */
const MAX_FILES = 50

export const filesTool = tool({
  name: 'download_files',
  title: 'Download files',
  description:
    'Downloads the files of a challenge to where the tool runs, or returns their addresses if it has no folder.',
  input: z.object({ challenge: ChallengeRef }),
  isRead: true,
  async run(site, { challenge: wanted }) {
    const found = await findChallenge(site, wanted)
    if ('refused' in found) return found.refused
    const files = found.challenge.files.slice(0, MAX_FILES)
    if (files.length === 0) return { parts: ['The challenge has no files.'], data: { files: [] } }
    const saved: { name: string; url: string; path?: string }[] = []
    for (const { name, url } of files) {
      const file = { name, url: absolute(site, url) }
      const path = await site.saveFile?.(file)
      saved.push({ ...file, ...(path !== undefined && { path }) })
    }
    const lines = saved.map(({ name, url, path }) => `${inline(name)}: ${path ?? url}`)
    return { parts: [{ by: 'the author of the challenge', text: lines.join('\n') }], data: { files: saved } }
  },
})

export const submitTool = tool({
  name: 'submit_flag',
  title: 'Submit a flag',
  description:
    'Submits a flag for a challenge. Wrong flags are counted and shown to the organisers; do not guess.',
  input: z.object({ challenge: ChallengeRef, flag: z.string().min(1).max(MAX_FLAG_LENGTH) }),
  isRead: false,
  async run(site, { challenge: wanted, flag }) {
    const found = await findChallenge(site, wanted)
    if ('refused' in found) return found.refused
    const { id, name } = found.challenge
    const result = await site.call(submitFlag, { params: { id }, body: { flag } })
    if (result.kind !== 'goodFlag') return refusal(result)
    return { parts: [`Correct. ${inline(name)} is solved.`], data: { correct: true, challengeId: id } }
  },
})

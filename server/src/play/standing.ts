import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { readOwnResults } from '@pennant/contract/teams.ts'
import { z } from 'zod'
import { plural } from '../lib/plural.ts'
import { inline } from './challenges.ts'
import { refusal } from './refusal.ts'
import { tool } from './tool.ts'

const DEFAULT_ROWS = 10
const MAX_ROWS = 100

export const standingTool = tool({
  name: 'own_standing',
  title: 'Own standing',
  description: 'Score, rank and solves of this team.',
  input: z.object({}),
  isRead: true,
  async run(site) {
    const result = await site.call(readOwnResults, {})
    if (result.kind !== 'goodOwnResults') return refusal(result)
    const { id, name, score, globalPlace, divisionPlace, division, solves, banned } = result.data
    const place =
      globalPlace === null
        ? 'It is not ranked yet.'
        : `Rank ${globalPlace}, in its division ${String(divisionPlace)}.`
    return {
      parts: [
        `${plural(score, 'point')}, ${plural(solves.length, 'solve')}. ${place}${banned ? ' The team is banned.' : ''}`,
        { by: 'the team', text: name },
      ],
      data: { id, name, score, globalPlace, divisionPlace, division, solves, banned },
    }
  },
})

export const scoreboardTool = tool({
  name: 'scoreboard',
  title: 'Scoreboard',
  description: 'The first ranks of the scoreboard.',
  input: z.object({
    rows: z.int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS),
    division: z.string().max(255).optional().describe('Id of a division.'),
  }),
  isRead: true,
  async run(site, { rows, division }) {
    const query = { limit: String(rows), offset: '0', ...(division !== undefined && { division }) }
    const result = await site.call(getLeaderboardV2, { query })
    if (result.kind !== 'goodLeaderboard') return refusal(result)
    const { total, leaderboard } = result.data
    const lines = leaderboard.map(
      ({ globalPlace, name, score }) => `${globalPlace}. ${inline(name)}: ${score}`,
    )
    return {
      parts: [
        `Ranked: ${plural(total, 'team')}.`,
        ...(lines.length === 0 ? [] : [{ by: 'other teams', text: lines.join('\n') }]),
      ],
      data: {
        total,
        teams: leaderboard.map(({ id, name, score, globalPlace }) => ({ id, name, score, globalPlace })),
      },
    }
  },
})

export const eventTool = tool({
  name: 'event',
  title: 'About the event',
  description:
    'Name, start and end of the event, form of flags, and the pages with its rules. Read the rules before playing.',
  input: z.object({}),
  isRead: true,
  async run(site) {
    const result = await site.call(getClientConfigV2, {})
    if (result.kind !== 'goodClientConfig') return refusal(result)
    const { ctfName, startTime, endTime, flagFormatPlaceholder, pages = [], instancerEnabled } = result.data
    const links = pages.map(({ titles, slug }) => ({ page: slug, title: titles[0]?.title ?? slug }))
    return {
      parts: [
        `Start ${new Date(startTime).toISOString()}, end ${new Date(endTime).toISOString()}.`,
        {
          by: 'the organisers',
          text: [
            inline(ctfName),
            `Flags look like ${inline(flagFormatPlaceholder)}`,
            ...links.map(({ title, page }) => `Page ${page}: ${inline(title)}`),
          ].join('\n'),
        },
      ],
      data: {
        name: ctfName,
        startTime,
        endTime,
        flagFormat: flagFormatPlaceholder,
        pages: links,
        hasInstances: instancerEnabled,
      },
    }
  },
})

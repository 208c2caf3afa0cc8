import { listAnnouncements } from '@pennant/contract/announcements.ts'
import { z } from 'zod'
import { refusal } from './refusal.ts'
import { tool, type Part } from './tool.ts'

export const announcementsTool = tool({
  name: 'announcements',
  title: 'Read announcements',
  description: 'What the organisers announced, pinned ones first, then newest first.',
  input: z.object({}),
  isRead: true,
  async run(site) {
    const result = await site.call(listAnnouncements, {})
    if (result.kind !== 'goodAnnouncements') return refusal(result)
    const { announcements } = result.data
    const parts = announcements.map(({ title, content, publishedAt }): Part => ({
      by: 'the organisers',
      text: `${new Date(publishedAt).toISOString()} ${title}\n\n${content}`,
    }))
    return { parts: parts.length === 0 ? ['There are no announcements.'] : parts, data: { announcements } }
  },
})

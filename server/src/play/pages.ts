import { readPage } from '@pennant/contract/pages.ts'
import { z } from 'zod'
import { refusal } from './refusal.ts'
import { tool } from './tool.ts'

export const pageTool = tool({
  name: 'read_page',
  title: 'Read a page',
  description: 'A page of the organisers, such as the rules. The tool event lists the pages.',
  input: z.object({ page: z.string().min(1).max(64).describe('As the tool event names it.') }),
  isRead: true,
  async run(site, { page: slug }) {
    const result = await site.call(readPage, { params: { slug }, query: {} })
    if (result.kind !== 'goodPage') return refusal(result)
    const { title, content } = result.data
    return { parts: [{ by: 'the organisers', text: `${title}\n\n${content}` }], data: { page: result.data } }
  },
})

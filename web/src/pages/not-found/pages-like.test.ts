import { expect, test } from 'vitest'
import { pagesLike } from './pages-like.ts'

const pages = [
  { name: 'Scoreboard', path: '/scores' },
  { name: 'Teams', path: '/admin/teams' },
]
const found = (typed: string) => pagesLike(pages, typed).map(({ path }) => path)

test('every word must match the name or the path', () => {
  expect(found('')).toEqual(['/scores', '/admin/teams'])
  expect(found('BOARD')).toEqual(['/scores'])
  expect(found('/admin team')).toEqual(['/admin/teams'])
  expect(found('admin board')).toEqual([])
})

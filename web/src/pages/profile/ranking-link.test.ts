import { expect, test } from 'vitest'
import { rankingTeamUrl } from './ranking-link.ts'

test('the team URL is derived from the consent URL of the ranking site', () => {
  expect(rankingTeamUrl('https://oauth.rank.test/authorize', '17')).toBe('https://rank.test/team/17')
  expect(rankingTeamUrl('http://127.0.0.1:81/authorize?a=b', '1/../2')).toBe(
    'http://127.0.0.1:81/team/1%2F..%2F2',
  )
})

test('an invalid URL gives no link', () => {
  expect([rankingTeamUrl('', '1'), rankingTeamUrl('javascript:alert(1)', '1')]).toEqual([null, null])
})

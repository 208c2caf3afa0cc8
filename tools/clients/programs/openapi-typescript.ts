import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript'

const client = createClient<paths>({ baseUrl: process.env['SITE'] ?? '' })
const body = { teamToken: process.env['TEAM_TOKEN'] ?? '' }
const { data: login } = await client.POST('/api/v1/auth/login', { body })
const headers = { authorization: `Bearer ${login?.data.authToken}` }
const { data: challenges } = await client.GET('/api/v2/challs', { headers })
const [challenge] = challenges?.data ?? []
const id: string = challenge?.id ?? ''
const points: number = challenge?.points ?? 0
const wrong = await client.POST('/api/v1/challs/{id}/submit', {
  params: { path: { id } },
  headers,
  body: { flag: 'flag{no}' },
})
console.log(login?.kind, id, points, wrong.error?.kind)

import { getV2Challs, postV1AuthLogin, postV1ChallsByIdSubmit } from './generated/orval'

// The generated functions fetch paths of their own origin, as in a browser.
const { fetch } = globalThis
globalThis.fetch = (input, init) => fetch(new URL(String(input), process.env['SITE']), init)

const login = await postV1AuthLogin({ teamToken: process.env['TEAM_TOKEN'] ?? '' })
if (login.status !== 200) throw new Error(login.data.kind)
const headers = { authorization: `Bearer ${login.data.data.authToken}` }
const challenges = await getV2Challs({ headers })
if (challenges.status !== 200) throw new Error('no challenges')
const [challenge] = challenges.data.data
const id: string = challenge?.id ?? ''
const points: number = challenge?.points ?? 0
const wrong = await postV1ChallsByIdSubmit(id, { flag: 'flag{no}' }, { headers })
console.log(login.data.kind, id, points, wrong.status === 400 && wrong.data.kind)

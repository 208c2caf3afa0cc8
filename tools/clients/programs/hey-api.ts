import { getV2Challs, postV1AuthLogin, postV1ChallsByIdSubmit } from './generated/hey-api'
import { client } from './generated/hey-api/client.gen'

client.setConfig({ baseUrl: process.env['SITE'] ?? '' })
const { data: login } = await postV1AuthLogin({ body: { teamToken: process.env['TEAM_TOKEN'] ?? '' } })
client.setConfig({ auth: () => login?.data.authToken })
const { data: challenges } = await getV2Challs()
const [challenge] = challenges?.data ?? []
const id: string = challenge?.id ?? ''
const points: number = challenge?.points ?? 0
const wrong = await postV1ChallsByIdSubmit({ path: { id }, body: { flag: 'flag{no}' } })
console.log(login?.kind, id, points, wrong.error?.kind)

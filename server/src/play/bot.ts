import {
  listAdminBotJobs,
  readAdminBotJob,
  readAdminBotLogs,
  submitAdminBotJob,
} from '@pennant/contract/admin-bot.ts'
import { z } from 'zod'
import { ChallengeRef, findChallenge } from './challenges.ts'
import { refusal } from './refusal.ts'
import { tool } from './tool.ts'

export const sendBotTool = tool({
  name: 'send_admin_bot',
  title: 'Send the admin bot',
  description: 'Sends the admin bot of a challenge on a visit. A team has one job at a time on a challenge.',
  input: z.object({
    challenge: ChallengeRef,
    inputs: z
      .record(z.string().max(256), z.string().max(1024))
      .describe('By name, as read_challenge shows them.'),
  }),
  isRead: false,
  async run(site, { challenge: wanted, inputs }) {
    const found = await findChallenge(site, wanted)
    if ('refused' in found) return found.refused
    const result = await site.call(submitAdminBotJob, {
      params: { id: found.challenge.id },
      body: { inputs },
    })
    if (result.kind !== 'goodAdminBotJobSubmitted') return refusal(result)
    const { jobId } = result.data
    return { parts: [`Job ${jobId} is queued; read_admin_bot shows its state.`], data: { job: jobId } }
  },
})

export const readBotTool = tool({
  name: 'read_admin_bot',
  title: 'Read jobs of the admin bot',
  description:
    "The team's job on a challenge that waits or runs, its finished ones, and what one of them wrote.",
  input: z.object({
    challenge: ChallengeRef,
    job: z.string().min(1).max(255).optional().describe('Id of a finished job, for what it wrote.'),
  }),
  isRead: true,
  async run(site, { challenge: wanted, job: jobId }) {
    const found = await findChallenge(site, wanted)
    if ('refused' in found) return found.refused
    const { id } = found.challenge
    if (jobId !== undefined) {
      const result = await site.call(readAdminBotLogs, { params: { id, jobId } })
      if (result.kind !== 'goodAdminBotJobLogs') return refusal(result)
      const { logs } = result.data
      return {
        parts: [logs === null ? 'Nothing of it is kept.' : { by: 'the visit', text: logs }],
        data: { logs },
      }
    }
    const current = await site.call(readAdminBotJob, { params: { id } })
    if (current.kind !== 'goodAdminBotJobStatus') return refusal(current)
    const finished = await site.call(listAdminBotJobs, { params: { id } })
    if (finished.kind !== 'goodAdminBotJobHistory') return refusal(finished)
    const { job } = current.data
    const waiting = job?.queuePosition === null || job === null ? '' : `, position ${job.queuePosition}`
    const lines = [
      job === null ? 'No job waits or runs.' : `Job ${job.id} is ${job.status}${waiting}.`,
      ...finished.data.jobs.map(
        ({ id: each, status, createdAt }) => `Job ${each} of ${createdAt}: ${status}.`,
      ),
    ]
    return { parts: [lines.join('\n')], data: { job, finished: finished.data.jobs } }
  },
})

import { answerMessageThread, messageLimits } from '@pennant/contract/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { withTexts } from '../../layout/message-list/with-texts.ts'
import { adminMessagesMessages } from '../../text/en/admin-messages.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Select, Textarea } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import styles from './admin-messages.module.css'
import { ADMIN_MESSAGES_KEY, messageOptionsQuery, type AdminThread } from './queries.ts'

/** Answers a thread, with a canned answer if wanted. What was typed stays if someone else was faster. */
export function AnswerForm({ thread }: { readonly thread: AdminThread }) {
  const text = useMessages(adminMessagesMessages)
  const queries = useQueryClient()
  const sent = useSuccess(text.sent)
  const action = useAction()
  const { id, version } = thread
  const form = useForm({
    initial: { content: '', close: false },
    validate: ({ content }) => ({ content: content.trim() === '' ? text.errors.missing : undefined }),
    submit: ({ content, close }) => answer(content, close),
  })
  const { content } = form.values

  async function answer(answered: string, close: boolean): Promise<void> {
    const request = { params: { id }, body: { data: { content: answered, version, close } } }
    const response = await action.run(async () =>
      withTexts(await send(answerMessageThread, request), text.refused),
    )
    if (response) {
      form.reset({ content: '', close: false })
      sent.show()
    }
    await queries.invalidateQueries({ queryKey: ADMIN_MESSAGES_KEY })
  }

  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <Canned onPick={(picked) => form.set({ content: joined(content, picked) })} />
      <Textarea
        {...form.field('content')}
        label={text.answer}
        help={text.answerHelp}
        required
        counted
        rows={6}
        maxLength={messageLimits.content}
      />
      <FailureLine>{action.failure}</FailureLine>
      <div className={styles.actions}>
        <Button tone="primary" type="submit" busy={form.isSubmitting || action.isPending} success={sent}>
          {text.send}
        </Button>
        <Button
          type="button"
          busy={action.isPending}
          disabledBecause={content.trim() === '' ? text.errors.missing : undefined}
          onClick={() => void answer(content, true)}
        >
          {text.sendAndClose}
        </Button>
      </div>
      <LeaveGuard isDirty={content !== ''} />
    </form>
  )
}

function joined(content: string, picked: string): string {
  const whole = content.trim() === '' ? picked : `${content.trimEnd()}\n\n${picked}`
  return whole.slice(0, messageLimits.content)
}

/** Inserts a canned answer. Without any, nothing is shown. */
function Canned({ onPick }: { readonly onPick: (content: string) => void }) {
  const text = useMessages(adminMessagesMessages)
  const answers = useQuery(messageOptionsQuery).data?.answers ?? []
  if (answers.length === 0) return null
  return (
    <Select
      label={text.canned}
      value=""
      placeholder={text.choose}
      onChange={(at) => {
        const picked = answers[Number(at)]
        if (at !== '' && picked) onPick(picked.content)
      }}
      choices={answers.map(({ title }, at) => ({ value: String(at), label: title }))}
    />
  )
}

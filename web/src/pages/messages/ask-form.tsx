import { messageLimits, startMessageThread } from '@pennant/contract/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { messagesQuery } from '../../api/messages.ts'
import { challengesQuery } from '../../api/queries.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { withTexts } from '../../layout/message-list/with-texts.ts'
import { messagesMessages } from '../../text/en/messages.ts'
import { useMessages } from '../../text/messages.ts'
import { Select, Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { announce } from '../../ui/announcer.tsx'
import styles from './messages.module.css'

interface AskFormProps {
  /** Selected at first; empty for a general question. */
  readonly challengeId: string
  readonly onSent: (threadId: string) => void
}

/** Starts a thread. */
export function AskForm({ challengeId, onSent }: AskFormProps) {
  const text = useMessages(messagesMessages)
  const queries = useQueryClient()
  const action = useAction()
  const [sentId, setSentId] = useState<string>()
  // Once the form is empty again, so that leaving it needs no confirmation.
  useEffect(() => {
    if (sentId !== undefined) onSent(sentId)
    // oxlint-disable-next-line react/exhaustive-deps -- once per message
  }, [sentId])
  const challenges = useQuery(challengesQuery()).data ?? []
  const missing = (value: string) => (value.trim() === '' ? text.errors.missing : undefined)
  const form = useForm({
    initial: { subject: '', challengeId, content: '' },
    validate: ({ subject, content }) => ({ subject: missing(subject), content: missing(content) }),
    async submit(values) {
      const about = values.challengeId === '' ? {} : { challengeId: values.challengeId }
      const body = { subject: values.subject, content: values.content, ...about }
      const response = await action.run(async () =>
        withTexts(await send(startMessageThread, { body }), text.refused),
      )
      if (response?.kind !== 'goodMessageSend') return
      form.reset({ subject: '', challengeId: '', content: '' })
      void queries.invalidateQueries({ queryKey: messagesQuery.queryKey })
      announce(text.sent)
      setSentId(response.data.thread.id)
    },
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <Select
        {...form.field('challengeId')}
        label={text.challenge}
        placeholder={text.general}
        choices={challenges.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextInput
        {...form.field('subject')}
        label={text.subject}
        required
        maxLength={messageLimits.subject}
        autoComplete="off"
      />
      <Textarea
        {...form.field('content')}
        label={text.content}
        help={text.contentHelp}
        required
        counted
        rows={5}
        maxLength={messageLimits.content}
      />
      <FailureLine>{action.failure}</FailureLine>
      <ActionButton type="submit" waitS={action.waitS} busy={form.isSubmitting}>
        {text.send}
      </ActionButton>
      <LeaveGuard isDirty={form.values.subject !== '' || form.values.content !== ''} />
    </form>
  )
}

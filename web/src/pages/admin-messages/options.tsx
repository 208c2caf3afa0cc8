import { messageLimits, updateMessageOptions } from '@pennant/contract/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { withTexts } from '../../layout/message-list/with-texts.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { adminMessagesMessages } from '../../text/en/admin-messages.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import { Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type Form } from '../../ui/form.ts'
import { Section } from '../../ui/states/panel.tsx'
import styles from './admin-messages.module.css'
import { ADMIN_MESSAGES_KEY, messageOptionsQuery, type MessageOptions } from './queries.ts'

/** When teams may write, and the canned answers. */
export function OptionsSection() {
  const text = useMessages(adminMessagesMessages)
  const query = useQuery(messageOptionsQuery)
  return (
    <Section title={text.options} fold="closed" className={styles.options}>
      {query.data ? <OptionsForm stored={query.data} /> : <Waiting query={query} rows={3} />}
    </Section>
  )
}

type Draft = Omit<MessageOptions, 'version'>

function draftOf({ enabled, beforeStart, afterEnd, answers }: MessageOptions): Draft {
  return { enabled, beforeStart, afterEnd, answers }
}

function OptionsForm({ stored }: { readonly stored: MessageOptions }) {
  const text = useMessages(adminMessagesMessages)
  const queries = useQueryClient()
  const saved = useSuccess(text.saved)
  const action = useAction()
  const [base, setBase] = useState(stored)
  const { version } = base
  const form = useForm<Draft>({
    initial: draftOf(base),
    validate: ({ answers }) => ({
      answers: answers.some(({ title, content }) => title.trim() === '' || content.trim() === '')
        ? text.errors.missing
        : undefined,
    }),
    async submit(values) {
      const body = { data: { ...values, version } }
      const response = await action.run(async () =>
        withTexts(await send(updateMessageOptions, { body }), text.refused),
      )
      await queries.invalidateQueries({ queryKey: ADMIN_MESSAGES_KEY })
      // After a conflict, what was typed stays, and the next try is for the version that is stored now.
      if (response?.kind !== 'goodMessageOptions')
        return setBase(queries.getQueryData(messageOptionsQuery.queryKey) ?? base)
      setBase(response.data.options)
      saved.show()
    },
  })
  useEffect(() => {
    // Another organiser's change replaces the form only while nothing is typed.
    if (stored.version <= version || form.isDirty || form.isSubmitting) return
    setBase(stored)
    form.reset(draftOf(stored))
    // `form` is another object in each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [stored, version, form.isDirty, form.isSubmitting])
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      {(['enabled', 'beforeStart', 'afterEnd'] as const).map((name) => (
        <Switch
          key={name}
          label={text[name]}
          checked={form.values[name]}
          onChange={(on) => form.set({ [name]: on })}
        />
      ))}
      <AnswerFields form={form} />
      <FailureLine>{form.errors.answers ?? action.failure}</FailureLine>
      <div className={styles.actions}>
        <Button tone="primary" type="submit" busy={form.isSubmitting} success={saved}>
          {text.save}
        </Button>
      </div>
      <LeaveGuard isDirty={form.isDirty} />
    </form>
  )
}

function AnswerFields({ form }: { readonly form: Form<Draft> }) {
  const text = useMessages(adminMessagesMessages)
  const { answers } = form.values
  const change = (at: number, patch: Partial<Draft['answers'][number]>) =>
    form.set({ answers: answers.map((each, index) => (index === at ? { ...each, ...patch } : each)) })
  return (
    <fieldset className={styles.answers}>
      <legend>{text.answers}</legend>
      {answers.map(({ title, content }, at) => (
        // The position is what identifies an answer while its name is typed.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={styles.answer}>
          <TextInput
            label={text.name}
            value={title}
            required
            maxLength={messageLimits.answerTitle}
            autoComplete="off"
            onChange={(next) => change(at, { title: next })}
          />
          <Textarea
            label={text.content}
            value={content}
            required
            maxLength={messageLimits.content}
            onChange={(next) => change(at, { content: next })}
          />
          <div>
            <Button
              icon="trash"
              onClick={() => form.set({ answers: answers.filter((_, index) => index !== at) })}
            >
              {text.removeAnswer(title.trim() === '' ? text.untitled : title)}
            </Button>
          </div>
        </div>
      ))}
      {answers.length < messageLimits.answers && (
        <div>
          <Button onClick={() => form.set({ answers: [...answers, { title: '', content: '' }] })}>
            {text.addAnswer}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

import { mailingLimits } from '@pennant/contract/mailings.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { kindOf } from '../../api/failure.ts'
import { useConfig } from '../../api/use-contest.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { useDirtyMark } from '../../layout/leaving/use-dirty-mark.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminMailMessages } from '../../text/en/admin-mail.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { useFieldFilters } from '../../organisers/field-lists.tsx'
import { FilterChips } from '../../ui/data/filter-chips.tsx'
import { useForm, type Form } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './admin-mail.module.css'
import { MailingTable } from './mailing-table.tsx'
import { Preview } from './preview.tsx'
import {
  addressKinds,
  dataOf,
  emptyDraft,
  mailingsQuery,
  statuses,
  type Draft,
  type MailData,
} from './queries.ts'

/** Writes mail to teams and people, and shows how far earlier ones are. */
export function Component() {
  const text = useMessages(adminMailMessages)
  const query = useQuery(mailingsQuery)
  const [sent, setSent] = useState(0)
  if (kindOf(query.error) === 'badEndpoint')
    return (
      <OrganiserPage title={text.page}>
        <EmptyState action={null}>{text.off}</EmptyState>
      </OrganiserPage>
    )
  return (
    <OrganiserPage title={text.page}>
      <Editor key={sent} onSent={() => setSent(sent + 1)} />
      {query.data ? <MailingTable rows={query.data.mailings} /> : <Waiting query={query} rows={4} />}
      <LeaveGuard />
    </OrganiserPage>
  )
}

function Editor({ onSent }: { readonly onSent: () => void }) {
  const text = useMessages(adminMailMessages)
  // From the list of teams.
  const given = (useLocation().state as { teams?: readonly string[] } | null)?.teams ?? []
  const [chosen, setChosen] = useState(given)
  const [shown, setShown] = useState<MailData | null>(null)
  const form = useForm<Draft>({
    initial: emptyDraft,
    validate: ({ subject, content }) => ({
      subject: subject.trim() === '' ? text.missing : undefined,
      content: content.trim() === '' ? text.missing : undefined,
    }),
    submit: async (draft) => setShown(dataOf(draft, chosen)),
  })
  useDirtyMark(form.isDirty)
  return (
    <div className={styles.narrow}>
      <Panel title={text.new}>
        <form noValidate className="pn-stack pn-gap-4" onSubmit={(event) => void form.submit(event)}>
          <ErrorSummary errors={form.errors} />
          <TextInput
            {...form.field('subject')}
            label={text.subject}
            required
            maxLength={mailingLimits.subject}
            autoComplete="off"
          />
          <Textarea
            {...form.field('content')}
            label={text.content}
            help={text.contentHelp}
            required
            rows={10}
            maxLength={mailingLimits.content}
          />
          <Receivers form={form} chosen={chosen.length} onForget={() => setChosen([])} />
          <div>
            <Button tone="primary" type="submit">
              {text.preview}
            </Button>
          </div>
        </form>
      </Panel>
      {shown && <Preview data={shown} onClose={() => setShown(null)} onSent={onSent} />}
    </div>
  )
}

function choicesOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}

interface ReceiversProps {
  readonly form: Form<Draft>
  /** Number of chosen teams; 0 to use the filters. */
  readonly chosen: number
  readonly onForget: () => void
}

function Receivers({ form, chosen, onForget }: ReceiversProps) {
  const text = useMessages(adminMailMessages)
  const divisions = useConfig()?.divisions ?? {}
  const fields = useFieldFilters()
  return (
    <div className={styles.row}>
      <Select
        label={text.topic}
        value={form.values.topic}
        onChange={(topic) => form.set({ topic: topic === 'other' ? 'other' : 'event' })}
        choices={choicesOf(text.topics)}
      />
      <Select
        label={text.addresses}
        value={form.values.addresses}
        onChange={(value) => form.set({ addresses: addressKinds.find((each) => each === value) ?? 'teams' })}
        choices={choicesOf(text.kinds)}
      />
      {chosen > 0 && (
        <p className={styles.chosen}>
          {text.chosen(chosen)} <Button onClick={onForget}>{text.forgetChosen}</Button>
        </p>
      )}
      {chosen === 0 && (
        <>
          <Select
            label={text.status}
            value={form.values.status}
            onChange={(value) => form.set({ status: statuses.find((each) => each === value) ?? '' })}
            choices={choicesOf(text.statuses)}
          />
          {Object.keys(divisions).length > 1 && (
            <Select
              {...form.field('division')}
              label={text.division}
              choices={[{ value: '', label: text.allDivisions }, ...choicesOf(divisions)]}
            />
          )}
          {fields.length > 0 && (
            <FilterChips
              fields={fields}
              filters={form.values.filters}
              onChange={(filters) => form.set({ filters })}
            />
          )}
          <TextInput {...form.field('search')} label={text.search} maxLength={100} autoComplete="off" />
        </>
      )}
    </div>
  )
}

import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { MAX_CONTROLLER, MAX_ERASE_DAYS } from '@pennant/contract/privacy-settings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { useDirtyMark } from '../../layout/leaving/use-dirty-mark.ts'
import { personalDataMessages } from '../../text/en/personal-data.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { NumberInput, Select, Textarea } from '../../ui/fields/inputs.tsx'
import { useForm, type Form } from '../../ui/form.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { privacyQuery, recordQuery, type Privacy } from './queries.ts'

interface Draft {
  readonly controller: string
  readonly when: 'never' | 'at' | 'days'
  readonly at: number | null
  readonly days: number | null
  readonly messages: boolean
}

const DEFAULT_DAYS = 60

function draftOf({ controller = '', eraseAt, eraseAfterDays, eraseMessages = false }: Privacy): Draft {
  return {
    controller,
    when: eraseAt !== undefined ? 'at' : eraseAfterDays !== undefined ? 'days' : 'never',
    at: eraseAt ?? null,
    days: eraseAfterDays ?? DEFAULT_DAYS,
    messages: eraseMessages,
  }
}

function privacyOf({ controller, when, at, days, messages }: Draft): Privacy {
  return {
    controller: controller.trim(),
    ...(when === 'at' && at !== null && { eraseAt: at }),
    ...(when === 'days' && days !== null && { eraseAfterDays: days }),
    eraseMessages: messages,
  }
}

/** Who is responsible, and when the worker erases. */
export function RetentionForm({ saved }: { readonly saved: Privacy }) {
  const text = useMessages(personalDataMessages)
  const queries = useQueryClient()
  const action = useAction('change')
  const success = useSuccess(text.saved)
  const form = useForm<Draft>({
    initial: draftOf(saved),
    validate: ({ when, at, days }) => ({
      at: when === 'at' && (at === null || Number.isNaN(at)) ? text.badTime : undefined,
      days: when === 'days' && !isDays(days) ? text.badDays : undefined,
    }),
    submit: async (draft) => {
      const request = () => send(updateSettings, { body: { data: { privacy: privacyOf(draft) } } })
      if (!(await action.run(request))) return
      success.show()
      form.reset(draft)
      await queries.invalidateQueries({ queryKey: privacyQuery.queryKey })
      await queries.invalidateQueries({ queryKey: recordQuery.queryKey })
    },
  })
  useDirtyMark(form.isDirty)
  return (
    <Panel title={text.settings}>
      <form noValidate className="pn-stack pn-gap-4" onSubmit={(event) => void form.submit(event)}>
        <ErrorSummary errors={form.errors} />
        <p className="pn-flat">{text.about}</p>
        <p className="pn-flat">{text.warning}</p>
        <Textarea
          {...form.field('controller')}
          label={text.controller}
          help={text.controllerHelp}
          rows={3}
          maxLength={MAX_CONTROLLER}
        />
        <WhenFields form={form} />
        <FailureLine>{action.failure}</FailureLine>
        <div>
          <Button tone="primary" type="submit" busy={action.isPending} success={success}>
            {text.save}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function WhenFields({ form }: { readonly form: Form<Draft> }) {
  const text = useMessages(personalDataMessages)
  const { when, at, days, messages } = form.values
  return (
    <>
      <Select
        label={text.when}
        value={when}
        onChange={(value) => form.set({ when: value === 'at' || value === 'days' ? value : 'never' })}
        choices={Object.entries(text.whens).map(([value, label]) => ({ value, label }))}
      />
      {when === 'at' && (
        <DateTime
          name="at"
          label={text.at}
          value={at}
          error={form.errors.at}
          onChange={(value) => form.set({ at: value })}
        />
      )}
      {when === 'days' && (
        <NumberInput
          name="days"
          label={text.days}
          value={days}
          error={form.errors.days}
          onChange={(value) => form.set({ days: value })}
        />
      )}
      <Switch
        label={text.messages}
        checked={messages}
        onChange={(checked) => form.set({ messages: checked })}
      />
    </>
  )
}

function isDays(days: number | null): boolean {
  return days !== null && Number.isInteger(days) && days >= 0 && days <= MAX_ERASE_DAYS
}

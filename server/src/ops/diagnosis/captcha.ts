import { failure, ok, unchecked, warning, type Check } from './check.ts'

export const captchaChecks: readonly Check[] = [
  {
    name: 'captcha',
    async run({ config, captcha }) {
      if (!config.captcha)
        return warning(
          'No captcha protects registration.',
          'Set `captcha`, for example captcha/proof-of-work.',
        )
      if (config.captcha.protectedEndpoints.length === 0)
        return warning('The captcha protects no action.', 'List actions in `captcha.protectedEndpoints`.')
      const { name } = config.captcha.provider
      const started = await captcha()
      if (!started?.checkSecret) return name === 'captcha/static' ? unchecked(`${name} is for tests.`) : ok()
      const problem = await started.checkSecret()
      return problem === null
        ? ok()
        : failure(
            `${name}: ${problem}`,
            'Copy the secret key again from the service, and check outgoing connections.',
          )
    },
  },
]

// How many tests a runner's JSON report says passed, failed and were left out.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {string} json @returns {Counts} */
export function vitestCounts(json) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(json);
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

/** A test that passed only when repeated counts as failed. @param {string} json @returns {Counts} */
export function playwrightCounts(json) {
  const { expected, unexpected, flaky, skipped } = JSON.parse(json).stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
}

package workers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/stretchr/testify/require"
)

func TestServiceWorkersAreBounded(t *testing.T) {
	w := New()
	for i := range maxRegistrations + 5 {
		w.registered(&serviceworker.Registration{RegistrationID: serviceworker.RegistrationID(fmt.Sprint(i)), ScopeURL: fmt.Sprintf("https://app.test/%d/", i)})
	}
	all, _, dropped := w.All()
	require.Len(t, all, maxRegistrations)
	require.Equal(t, 5, dropped)
	require.Equal(t, "https://app.test/5/", all[0].Scope)

	last := all[len(all)-1].id
	for i := range 2 * maxRedundant {
		w.changed(&serviceworker.Version{VersionID: fmt.Sprint(i), RegistrationID: last, Status: serviceworker.VersionStatusActivated})
		w.changed(&serviceworker.Version{VersionID: fmt.Sprint(i + 1), RegistrationID: last, Status: serviceworker.VersionStatusInstalled})
		w.changed(&serviceworker.Version{VersionID: fmt.Sprint(i), RegistrationID: last, Status: serviceworker.VersionStatusRedundant})
	}
	all, _, _ = w.All()
	require.Len(t, all[len(all)-1].Versions, maxRedundant+1, "those that were replaced, and the last")

	for i := range 2 * maxFailures {
		w.failed(&serviceworker.ErrorMessage{ErrorMessage: fmt.Sprint(i, strings.Repeat("é", maxFailure)), RegistrationID: last, SourceURL: "https://app.test/sw.js", LineNumber: 3})
	}
	_, failures, _ := w.All()
	require.Len(t, failures, maxFailures)
	require.LessOrEqual(t, len(failures[0].Text), maxFailure+len("…"))
	require.Equal(t, "https://app.test/sw.js:3", failures[0].Source)
}

func TestFailuresAreToldOnce(t *testing.T) {
	w := New()
	w.registered(&serviceworker.Registration{RegistrationID: "1", ScopeURL: "https://app.test/"})
	w.changed(&serviceworker.Version{VersionID: "7", RegistrationID: "1", Status: serviceworker.VersionStatusInstalling})
	report := func(text string, column int64) {
		w.failed(&serviceworker.ErrorMessage{ErrorMessage: text, RegistrationID: "1", VersionID: "7", SourceURL: "https://app.test/sw.js", LineNumber: 2, ColumnNumber: column})
	}
	report("Uncaught Error: x", -1)
	report("Uncaught Error: other", 1)
	report("Uncaught Error: x", 12)
	w.changed(&serviceworker.Version{VersionID: "7", RegistrationID: "1", Status: serviceworker.VersionStatusRedundant})
	report("Failed to register a ServiceWorker for scope ('https://app.test/') with script ('https://app.test/sw.js'): no", -1)
	all, failures, _ := w.All()
	require.Empty(t, all, "its only version has failed")
	require.Len(t, failures, 3)
	require.Equal(t, "it was not registered: no", failures[0].Text)
	require.Equal(t, "https://app.test/sw.js", failures[0].Source)
	require.Equal(t, "Uncaught Error: x", failures[1].Text)
	require.Equal(t, 2, failures[1].Count)
	require.Equal(t, "https://app.test/", failures[1].Scope)
}

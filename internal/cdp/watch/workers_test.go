package watch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/stretchr/testify/require"
)

func TestServiceWorkersAreBounded(t *testing.T) {
	w := NewServiceWorkers()
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

	for i := range 2 * maxWorkerErrors {
		w.failed(&serviceworker.ErrorMessage{ErrorMessage: fmt.Sprint(i, strings.Repeat("é", maxWorkerError)), RegistrationID: last, SourceURL: "https://app.test/sw.js", LineNumber: 3})
	}
	_, errs, _ := w.All()
	require.Len(t, errs, maxWorkerErrors)
	require.LessOrEqual(t, len(errs[0].Text), maxWorkerError+len("…"))
	require.Equal(t, "https://app.test/sw.js:3", errs[0].Source)
}

func TestServiceWorkerErrorsAreToldOnce(t *testing.T) {
	w := NewServiceWorkers()
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
	all, errs, _ := w.All()
	require.Empty(t, all, "its only version has failed")
	require.Len(t, errs, 3)
	require.Equal(t, "it was not registered: no", errs[0].Text)
	require.Equal(t, "https://app.test/sw.js", errs[0].Source)
	require.Equal(t, "Uncaught Error: x", errs[1].Text)
	require.Equal(t, 2, errs[1].Count)
	require.Equal(t, "https://app.test/", errs[1].Scope)
}

func TestReplacedMessagesKeepTheBounds(t *testing.T) {
	c := NewConsole()
	first, second := &entry{done: &Message{Text: "one"}, size: 3}, &entry{done: &Message{Text: "two"}, size: 3}
	c.add(first)
	c.add(second)
	c.replace(first, Message{Text: "longer than one"})
	require.Equal(t, len("longer than one")+3, c.entries.bytes)
	c.Clear()
	c.replace(second, Message{Text: "late"})
	require.Zero(t, c.entries.bytes)
	all, _ := c.Recent()
	require.Empty(t, all)
}

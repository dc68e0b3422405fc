// Package config owns the one Config value: the defaults, under the file,
// under the environment, under the flags. It is strict: a key or a value it
// does not know is refused with the place it came from and the nearest that is
// known. It is a leaf: it imports only fault, and every package may read it.
package config

// Config holds every setting. A new setting is one field in a section: its tags
// give the key (json), the default, the rule (oneof, or min and max) and the
// meaning (doc). The file, the environment, the flags, config.example.json and
// docs/configuration.md all follow from them.
type Config struct {
	Browser  Browser  `json:"browser" doc:"Which browser is started, and how."`
	Session  Session  `json:"session" doc:"How long a conversation keeps its browser, and how many there may be."`
	Tools    Tools    `json:"tools" doc:"Which tools a client is offered."`
	Output   Output   `json:"output" doc:"Where answers go that are too long to be given inline."`
	Secrets  Secrets  `json:"secrets" doc:"What answers hide."`
	Images   Images   `json:"images" doc:"How large an image in an answer may be."`
	Timeouts Timeouts `json:"timeouts" doc:"How long a call may take when it does not say so itself."`
	Log      Log      `json:"log" doc:"What the server writes down about itself."`
}

// Browser says which browser is started, and how.
type Browser struct {
	Executable string   `json:"executable" doc:"Path of the browser's program. Empty: the first one found."`
	Channel    string   `json:"channel" oneof:",stable,beta,dev,canary,chromium,headless-shell,edge,brave" doc:"Which installed browser to use. Empty: the first one found."`
	Headless   bool     `json:"headless" default:"true" doc:"Run without a window."`
	Sandbox    string   `json:"sandbox" default:"auto" oneof:"auto,on,off" doc:"The browser's own sandbox: auto switches it off only where it cannot work."`
	Args       []string `json:"args" doc:"More arguments for the browser's command line."`
	Viewport   Viewport `json:"viewport" default:"1280x720" doc:"Width and height of a new tab, in CSS pixels."`
	Dialogs    string   `json:"dialogs" default:"ask" oneof:"ask,accept,dismiss" doc:"What happens to a dialog that a page opens: ask leaves it to the client."`
}

// Session bounds the browsers of the conversations.
type Session struct {
	IdleTimeout Duration `json:"idle_timeout" default:"30m" min:"0s" doc:"A browser that is not used for so long is closed. 0: never."`
	Max         int      `json:"max" default:"3" min:"1" doc:"Most browsers open at one time."`
}

// Tools selects the tools. The tools package knows the names and checks them.
type Tools struct {
	Sets     []string `json:"sets" default:"default" doc:"Toolsets to offer: default stands for those on by default, all for every one."`
	Allow    []string `json:"allow" doc:"Single tools to offer besides those of the sets."`
	Deny     []string `json:"deny" doc:"Tools never to offer, whatever else says so."`
	ReadOnly bool     `json:"read_only" default:"false" doc:"Offer only tools that change nothing."`
}

// Output says where long answers go.
type Output struct {
	Dir           string `json:"dir" doc:"Folder for files. Empty: the system's temporary folder."`
	InlineLimit   int    `json:"inline_limit" default:"4096" min:"1" max:"1000000" doc:"Bytes of text that an answer gives inline. What is longer goes to a file."`
	SnapshotLimit int    `json:"snapshot_limit" default:"12000" min:"2000" max:"1000000" doc:"Bytes of a snapshot. What is left out is told, and can be asked for."`
	Keep          bool   `json:"keep" default:"false" doc:"Keep the files when the session ends."`
}

// Secrets says what answers hide.
type Secrets struct {
	ShowHeaders bool `json:"show_headers" default:"false" doc:"Show the values of credentials and cookies in the headers of network answers and HAR files."`
}

// Images bounds the images in answers.
type Images struct {
	MaxDimension int `json:"max_dimension" default:"1568" min:"1" max:"16384" doc:"Longest side in pixels. A larger image is scaled down."`
	MaxBytes     int `json:"max_bytes" default:"3750000" min:"1024" doc:"Bytes of the encoded image, before base64."`
}

// Timeouts are the deadlines of calls that name none.
type Timeouts struct {
	Default    Duration `json:"default" default:"15s" min:"1ms" max:"24h" doc:"Deadline of a call."`
	Navigation Duration `json:"navigation" default:"15s" min:"1ms" max:"24h" doc:"Deadline of a navigation."`
	Wait       Duration `json:"wait" default:"30s" min:"1ms" max:"24h" doc:"Deadline of a wait for something on the page."`
}

// Log says what the server writes down about itself.
type Log struct {
	Level  string `json:"level" default:"info" oneof:"debug,info,warn,error" doc:"The least important message that is written."`
	Format string `json:"format" default:"text" oneof:"text,json" doc:"Form of a message."`
	File   string `json:"file" doc:"File to append to. Empty: the standard error stream."`
}

// Default gives the Config of somebody who sets nothing. Its lists are empty, never nil.
func Default() Config {
	var cfg Config
	for _, s := range settings {
		if err := s.setText(&cfg, "default of "+s.path(), s.tag.Get("default")); err != nil {
			panic(err) // a tag above is wrong: no input leads here, and every test would
		}
	}
	return cfg
}
